import type { FileUpdateChange } from "@quire/protocol";

const section = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/** The changes of a patch in Codex's format, for rollouts that keep only the call. */
export function patchChanges(patch: string): FileUpdateChange[] {
  const changes: FileUpdateChange[] = [];
  let lines: string[] = [];
  let movePath: string | null = null;
  const finish = () => {
    const change = changes.at(-1);
    if (!change) return;
    const body = lines.map((line) => `${line}\n`).join("");
    change.diff = change.kind.type === "add" ? body.replaceAll(/^\+/gm, "") : body;
    if (change.kind.type === "update") change.kind.move_path = movePath;
  };
  for (const line of patch.split("\n")) {
    const match = section.exec(line);
    if (match) {
      finish();
      lines = [];
      movePath = null;
      const type = match[1] === "Add" ? "add" : match[1] === "Delete" ? "delete" : "update";
      changes.push({ path: match[2] ?? "", kind: { type }, diff: "" });
    } else if (line.startsWith("*** Move to: ")) {
      movePath = line.slice("*** Move to: ".length);
    } else if (line === "*** End Patch") {
      break;
    } else if (changes.length > 0) {
      lines.push(line);
    }
  }
  finish();
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The patch within a command such as `apply_patch <<'EOF' …`; `undefined` where there is none. */
export function patchInCommand(command: string): string | undefined {
  if (!/^\s*apply_?patch\b/.test(command)) return undefined;
  const start = command.indexOf("*** Begin Patch");
  return start === -1 ? undefined : command.slice(start);
}
