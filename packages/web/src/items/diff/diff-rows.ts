import type { Mark } from "../code/code-line.tsx";
import type { DiffFile, DiffLine } from "./parse-diff.ts";

/** A line with the part of it that differs from its counterpart. */
export interface MarkedLine extends DiffLine {
  readonly mark: Mark | null;
  /** Position in the text of its side, by which its colours are found. */
  readonly at: number;
}

/** A row of a diff as it is shown: one line, two side by side, or the gap between hunks. */
export type DiffRow =
  | { readonly type: "gap"; readonly heading: string }
  | { readonly type: "line"; readonly line: MarkedLine }
  | { readonly type: "pair"; readonly left: MarkedLine | null; readonly right: MarkedLine | null };

/** The text of each side (without what is not in the diff), for highlighting, and the rows of either view. */
export interface DiffLayout {
  readonly before: string;
  readonly after: string;
  readonly unified: readonly DiffRow[];
  readonly split: readonly DiffRow[];
  /** Columns that the longest line takes. */
  readonly longest: number;
}

/** A pure cache: diffs do not change. */
const cache = new WeakMap<DiffFile, DiffLayout>();

/** Lays out a file's diff. Cached with the file. */
export function layoutDiff(file: DiffFile): DiffLayout {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const layout = build(file);
  cache.set(file, layout);
  return layout;
}

function build({ hunks }: DiffFile): DiffLayout {
  const before: string[] = [];
  const after: string[] = [];
  const unified: DiffRow[] = [];
  const split: DiffRow[] = [];
  for (const [index, hunk] of hunks.entries()) {
    if (index > 0 || (hunk.lines[0]?.before ?? 1) > 1) {
      const gap: DiffRow = { type: "gap", heading: hunk.heading };
      unified.push(gap);
      split.push(gap);
    }
    for (const run of runsOf(hunk.lines)) {
      const [removed, added] = place(run, before, after);
      for (const line of [...removed, ...added]) unified.push({ type: "line", line });
      for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
        split.push({ type: "pair", left: removed[at] ?? null, right: added[at] ?? null });
      }
      for (const line of run.context) {
        const shown: MarkedLine = { ...line, mark: null, at: after.length };
        split.push({ type: "pair", left: { ...shown, at: before.length }, right: shown });
        before.push(line.text);
        after.push(line.text);
        unified.push({ type: "line", line: shown });
      }
    }
  }
  const longest = [...before, ...after].reduce((most, line) => Math.max(most, columnsOf(line)), 0);
  return { before: before.join("\n"), after: after.join("\n"), unified, split, longest };
}

/** Removed and added lines that follow each other, and the context behind them. */
interface Run {
  readonly removed: DiffLine[];
  readonly added: DiffLine[];
  readonly context: DiffLine[];
}

function runsOf(lines: readonly DiffLine[]): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const line of lines) {
    const startsAnew =
      run === undefined ||
      (line.kind !== "context" && run.context.length > 0) ||
      (line.kind === "removed" && run.added.length > 0);
    if (startsAnew) {
      run = { removed: [], added: [], context: [] };
      runs.push(run);
    }
    run?.[line.kind].push(line);
  }
  return runs;
}

/** Gives the lines of a run their place in the texts, and marks what differs where lines stand for each other. */
function place(run: Run, before: string[], after: string[]): readonly [MarkedLine[], MarkedLine[]] {
  const marks = run.removed.map((line, at) => differing(line, run.added[at]));
  const removed = run.removed.map((line, at) => {
    before.push(line.text);
    return { ...line, mark: marks[at]?.[0] ?? null, at: before.length - 1 };
  });
  const added = run.added.map((line, at) => {
    after.push(line.text);
    return { ...line, mark: marks[at]?.[1] ?? null, at: after.length - 1 };
  });
  return [removed, added];
}

/** The parts in which two lines differ, between their common beginning and end. Null where little is common. */
function differing(old: DiffLine, added: DiffLine | undefined): readonly [Mark, Mark] | null {
  if (added === undefined || old.text.length > 500 || added.text.length > 500) return null;
  const shorter = Math.min(old.text.length, added.text.length);
  let head = 0;
  while (head < shorter && old.text[head] === added.text[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.text.at(-1 - tail) === added.text.at(-1 - tail)) tail += 1;
  const common = old.text.slice(0, head).trim().length + old.text.slice(old.text.length - tail).trim().length;
  if (common * 3 < shorter) return null;
  return [
    [head, old.text.length - tail],
    [head, added.text.length - tail],
  ];
}

/** Columns of a line: a tab takes up to four, and what may be twice as wide as a letter takes two. */
const columnsOf = (line: string): number =>
  line.length + 3 * (line.match(/\t/g)?.length ?? 0) + (line.match(/[\u1100-\uffff]/g)?.length ?? 0);
