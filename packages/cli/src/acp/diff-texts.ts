import type { FileUpdateChange } from "@quire/protocol";
import type { ToolContent } from "./protocol.ts";

/** The changes of files as an editor shows them: for each part of a file, its text before and after. */
export function diffTexts(changes: readonly FileUpdateChange[]): ToolContent[] {
  return changes.flatMap(({ path, kind, diff }): ToolContent[] => {
    if (kind.type === "add") return [{ type: "diff", path, oldText: null, newText: diff }];
    if (kind.type === "delete") return [{ type: "diff", path, oldText: diff, newText: "" }];
    return hunks(diff).map((hunk) => ({ type: "diff", path: kind.move_path ?? path, ...hunk }));
  });
}

/** The hunks of a unified diff, each as the lines before and after. */
function hunks(diff: string): { oldText: string; newText: string }[] {
  return diff
    .split(/^@@.*\n/m)
    .slice(1)
    .map((hunk) => {
      const lines = hunk.split("\n").filter((line) => /^[ +-]/.test(line));
      const side = (marks: string) =>
        lines
          .filter((line) => marks.includes(line[0] ?? ""))
          .map((line) => `${line.slice(1)}\n`)
          .join("");
      return { oldText: side(" -"), newText: side(" +") };
    });
}
