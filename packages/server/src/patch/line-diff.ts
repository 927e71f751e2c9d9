import type { Line } from "./lines.ts";

/** A run of lines that differs: so many lines of the old text from here, so many of the new one from there. */
export interface Edit {
  readonly oldAt: number;
  readonly oldCount: number;
  readonly newAt: number;
  readonly newCount: number;
}

/** Larger differences become one replacement: the smallest would take too long to find. */
const maxDistance = 1000;

/** The smallest set of differences between two texts, in order. Lines count with what ends them. */
export function diffLines(before: readonly Line[], after: readonly Line[]): Edit[] {
  const same = (a: number, b: number) => before[a]?.text === after[b]?.text && before[a]?.ending === after[b]?.ending;
  let start = 0;
  while (start < before.length && start < after.length && same(start, start)) start += 1;
  let oldEnd = before.length;
  let newEnd = after.length;
  for (; oldEnd > start && newEnd > start && same(oldEnd - 1, newEnd - 1); oldEnd--) newEnd -= 1;
  if (oldEnd === start && newEnd === start) return [];
  const steps = shortestPath({
    rows: oldEnd - start,
    columns: newEnd - start,
    same: (a, b) => same(a + start, b + start),
  });
  if (!steps) return [{ oldAt: start, oldCount: oldEnd - start, newAt: start, newCount: newEnd - start }];
  return collect(steps, start);
}

type Step = "keep" | "remove" | "insert";

interface Grid {
  readonly rows: number;
  readonly columns: number;
  same(row: number, column: number): boolean;
}

/** Myers' greedy search: the furthest point on each diagonal, with one more difference in each round. */
function shortestPath({ rows, columns, same }: Grid): Step[] | undefined {
  const offset = Math.min(rows + columns, maxDistance) + 1;
  const furthest = new Int32Array(2 * offset + 1);
  const trace: Int32Array[] = [];
  for (let distance = 0; distance < offset; distance++) {
    trace.push(furthest.slice());
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let row = goesDown(furthest, offset, diagonal, distance)
        ? (furthest[offset + diagonal + 1] as number)
        : (furthest[offset + diagonal - 1] as number) + 1;
      let column = row - diagonal;
      for (; row < rows && column < columns && same(row, column); row++) column += 1;
      furthest[offset + diagonal] = row;
      if (row >= rows && column >= columns) return retrace(trace, offset, rows, columns);
    }
  }
  return undefined;
}

/** True when the best way onto a diagonal is an insertion. */
function goesDown(furthest: Int32Array, offset: number, diagonal: number, distance: number): boolean {
  if (diagonal === -distance) return true;
  if (diagonal === distance) return false;
  return (furthest[offset + diagonal - 1] as number) < (furthest[offset + diagonal + 1] as number);
}

function retrace(trace: readonly Int32Array[], offset: number, rows: number, columns: number): Step[] {
  const steps: Step[] = [];
  let row = rows;
  let column = columns;
  for (let distance = trace.length - 1; distance >= 0; distance--) {
    const furthest = trace[distance] as Int32Array;
    const diagonal = row - column;
    const down = goesDown(furthest, offset, diagonal, distance);
    const from = diagonal + (down ? 1 : -1);
    const fromRow = distance === 0 ? 0 : (furthest[offset + from] as number);
    const fromColumn = distance === 0 ? 0 : fromRow - from;
    for (; row > fromRow && column > fromColumn; row--) {
      steps.push("keep");
      column -= 1;
    }
    if (distance > 0) steps.push(down ? "insert" : "remove");
    row = fromRow;
    column = fromColumn;
  }
  return steps.reverse();
}

function collect(steps: readonly Step[], start: number): Edit[] {
  const edits: Edit[] = [];
  let old = start;
  let fresh = start;
  for (let at = 0; at < steps.length; ) {
    if (steps[at] === "keep") {
      old += 1;
      fresh += 1;
      at += 1;
      continue;
    }
    const edit = { oldAt: old, oldCount: 0, newAt: fresh, newCount: 0 };
    for (; at < steps.length && steps[at] !== "keep"; at++) steps[at] === "remove" ? edit.oldCount++ : edit.newCount++;
    old += edit.oldCount;
    fresh += edit.newCount;
    edits.push(edit);
  }
  return edits;
}
