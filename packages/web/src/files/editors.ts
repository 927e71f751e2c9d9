import type { FileTarget } from "../navigation/file-target.ts";

/** An editor that opens files by addresses of its own. */
export interface Editor {
  readonly id: string;
  readonly name: string;
}

/** The editors that are offered. */
export const editors: readonly Editor[] = [
  { id: "vscode", name: "VS Code" },
  { id: "cursor", name: "Cursor" },
  { id: "zed", name: "Zed" },
  { id: "jetbrains", name: "JetBrains" },
];

/** The address by which an editor on this machine opens a file at a line. */
export function editorHref(editor: string, { path, line }: FileTarget, cwd: string): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const place = `${encoded}${line === null ? "" : `:${line}`}`;
  if (editor !== "jetbrains") return `${editor}://file${place.startsWith("/") ? "" : "/"}${place}`;
  const below = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  const project = cwd.split("/").at(-1) ?? "";
  const query = new URLSearchParams({ project, path: `${below}${line === null ? "" : `:${line}`}` });
  return `jetbrains://idea/navigate/reference?${query.toString()}`;
}

const storageKey = "quire.editor";

/** The editor that was chosen last in this browser. */
export function lastEditor(): Editor {
  let id: string | null = null;
  try {
    id = localStorage.getItem(storageKey);
  } catch {
    // Storage can be forbidden.
  }
  return editors.find((each) => each.id === id) ?? { id: "vscode", name: "VS Code" };
}

/** Keeps an editor as the one that is offered first. */
export function keepEditor(id: string): void {
  try {
    localStorage.setItem(storageKey, id);
  } catch {
    // It is then offered first until the page is left.
  }
}
