import type { FileUpdateChange } from "@quire/protocol";
import { parsePatch } from "./parse-patch.ts";
import type { Chunk, FileOperation } from "./patch.ts";

/** Minimum interval of previews while a patch streams: each one repeats the whole patch. */
const intervalMs = 500;

/** Previews a patch from the lines that the model has written so far. */
export class PatchPreview {
  readonly #tell: (changes: FileUpdateChange[]) => void;
  #text = "";
  #notifiedAt = Number.NEGATIVE_INFINITY;
  #sent = "";

  constructor(tell: (changes: FileUpdateChange[]) => void) {
    this.#tell = tell;
  }

  push(delta: string): void {
    this.#text += delta;
    if (performance.now() - this.#notifiedAt >= intervalMs) this.#show(wholeLines(this.#text));
  }

  end(text: string): void {
    this.#show(text);
  }

  #show(text: string): void {
    const changes = readable(text).map(describe).sort(byPath);
    const shown = JSON.stringify(changes);
    if (changes.length === 0 || shown === this.#sent) return;
    this.#notifiedAt = performance.now();
    this.#sent = shown;
    this.#tell(changes);
  }
}

function readable(text: string): FileOperation[] {
  const lines = text.trimEnd().split("\n");
  if (lines.at(-1)?.trim() === "*** End Patch") lines.pop();
  // The last operation may have too little to be read; the one before it has all it needs.
  for (let end = lines.length; end > 1; end = lastHeader(lines, end)) {
    try {
      return parsePatch([...lines.slice(0, end), "*** End Patch"].join("\n"));
    } catch {
      // Looks again without the last operation.
    }
  }
  return [];
}

function lastHeader(lines: readonly string[], end: number): number {
  return lines.slice(0, end).findLastIndex((line) => /^\*\*\* (Add|Delete|Update) File: /.test(line));
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

function describe(operation: FileOperation): FileUpdateChange {
  const { path } = operation;
  if (operation.type === "add") return { path, kind: { type: "add" }, diff: operation.content };
  if (operation.type === "delete") return { path, kind: { type: "delete" }, diff: "" };
  const { moveTo, chunks } = operation;
  const moved = moveTo === null ? "" : `\n\nMoved to: ${moveTo}`;
  return { path, kind: { type: "update", move_path: moveTo }, diff: `${chunks.map(hunk).join("")}${moved}` };
}

const signs = { keep: " ", remove: "-", insert: "+" } as const;

/** A hunk without line numbers: its place is not looked up before the patch is complete. */
function hunk({ headings, lines }: Chunk): string {
  const head = ["@@", ...headings.slice(-1)].join(" ");
  return `${[head, ...lines.map(({ kind, text }) => `${signs[kind]}${text}`)].join("\n")}\n`;
}

function byPath(a: FileUpdateChange, b: FileUpdateChange): number {
  return a.path < b.path ? -1 : 1;
}
