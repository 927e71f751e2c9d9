import type { DiffFile, DiffLine } from "./parse-diff.ts";

const signs: Readonly<Record<DiffLine["kind"], string>> = { added: "+", removed: "-", context: " " };

/** Files as the text of a diff, for the clipboard. */
export function diffText(files: readonly DiffFile[]): string {
  return files.map(fileText).join("");
}

function fileText({ path, from, kind, hunks }: DiffFile): string {
  const before = kind === "added" ? "/dev/null" : `a/${bare(from ?? path)}`;
  const after = kind === "deleted" ? "/dev/null" : `b/${bare(path)}`;
  const lines = hunks.flatMap((hunk) => [
    `@@ -${range(hunk.lines, "before")} +${range(hunk.lines, "after")} @@${hunk.heading === "" ? "" : ` ${hunk.heading}`}`,
    ...hunk.lines.map(({ kind: of, text }) => signs[of] + text),
  ]);
  return [`--- ${before}`, `+++ ${after}`, ...lines, ""].join("\n");
}

function range(lines: readonly DiffLine[], side: "before" | "after"): string {
  const numbers = lines.flatMap((line) => line[side] ?? []);
  return `${numbers[0] ?? 0},${numbers.length}`;
}

const bare = (path: string): string => path.replace(/^\//, "");
