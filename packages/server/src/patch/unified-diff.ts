import { diffLines, type Edit } from "./line-diff.ts";
import { type Line, splitLines } from "./lines.ts";

const noEnding = "\\ No newline at end of file\n";

/** The hunks of a unified diff between two texts; empty where they are the same. */
export function unifiedHunks(before: string, after: string, contextLines: number): string {
  const old = splitLines(before);
  const fresh = splitLines(after);
  return group(diffLines(old, fresh), contextLines)
    .map((edits) => hunk(edits, old, fresh, contextLines))
    .join("");
}

/** Edits whose context would meet belong to one hunk. */
function group(edits: readonly Edit[], contextLines: number): Edit[][] {
  const groups: Edit[][] = [];
  for (const edit of edits) {
    const last = groups.at(-1)?.at(-1);
    if (last && edit.oldAt - (last.oldAt + last.oldCount) <= 2 * contextLines) groups.at(-1)?.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function hunk(edits: readonly Edit[], old: readonly Line[], fresh: readonly Line[], contextLines: number): string {
  const first = edits[0] as Edit;
  const last = edits.at(-1) as Edit;
  const start = Math.max(0, first.oldAt - contextLines);
  const end = Math.min(old.length, last.oldAt + last.oldCount + contextLines);
  let body = "";
  let at = start;
  for (const { oldAt, oldCount, newAt, newCount } of edits) {
    body += show(" ", old.slice(at, oldAt));
    body += show("-", old.slice(oldAt, oldAt + oldCount));
    body += show("+", fresh.slice(newAt, newAt + newCount));
    at = oldAt + oldCount;
  }
  body += show(" ", old.slice(at, end));
  const grown = edits.reduce((sum, { oldCount, newCount }) => sum + newCount - oldCount, 0);
  const newStart = first.newAt - (first.oldAt - start);
  return `@@ -${range(start, end - start)} +${range(newStart, end - start + grown)} @@\n${body}`;
}

function show(mark: string, lines: readonly Line[]): string {
  return lines.map(({ text, ending }) => `${mark}${text}${ending === "" ? `\n${noEnding}` : ending}`).join("");
}

/** Omits a count of one; an empty range names the line before it. */
function range(start: number, count: number): string {
  if (count === 1) return String(start + 1);
  return `${count === 0 ? start : start + 1},${count}`;
}
