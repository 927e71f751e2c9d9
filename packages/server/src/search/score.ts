import { bonuses, type FoldedText } from "./fold.ts";

/** A character that is matched. */
const matched = 16;
/** The first character that is left out between two, and each further one. */
const gapStart = 3;
const gapMore = 1;
/** A character right after one that is matched. */
const consecutive = 4;
/** The first character tells most of what is meant. */
const firstFactor = 2;

/** Longer texts are matched at the first place, not at the best. */
const maxCells = 64 * 1024;

/** Stands for no match. Scores are never negative. */
export const none = -1;

/** A part of the buffers. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Scores of one row: with the character matched here, and with it anywhere before. */
let matchRow = new Int32Array(1024);
let bestRow = new Int32Array(1024);
/** The bonus that a run of matches carries on. */
let runRow = new Int32Array(1024);

/**
 * The best score with which the letters occur in this order, or {@link none}. Rewards runs and beginnings of words,
 * punishes gaps, by the method of Smith and Waterman that most fuzzy finders use.
 *
 * @param trace Gets for each letter and place whether it continues a run, to find the places afterwards.
 */
export function fuzzyScore(text: FoldedText, { start, end }: Span, letters: Uint16Array, trace?: Trace): number {
  const { codes, bonus } = text;
  const count = letters.length;
  const from = firstPlace(codes, start, end, letters);
  if (from < 0) return none;
  const last = letters[count - 1] as number;
  let to = end - 1;
  while (codes[to] !== last) to--;
  const width = to - from + 1;
  if (width * count > maxCells) return runScore(text, from, letters, trace);
  if (width > matchRow.length) grow(width);
  trace?.begin(from, width, count);
  const match = matchRow;
  const best = bestRow;
  const run = runRow;
  const first = letters[0] as number;
  let before = none;
  let bestAt = none;
  for (let x = 0; x < width; x++) {
    if (codes[from + x] === first) {
      const worth = bonus[from + x] as number;
      match[x] = matched + worth * firstFactor;
      run[x] = worth;
    } else match[x] = none;
    best[x] = before;
    const here = match[x] as number;
    before = Math.max(before > 0 ? before - gapMore : before, here > 0 ? here - gapStart : none);
    if (here > bestAt) bestAt = here;
  }
  for (let y = 1; y < count; y++) {
    const letter = letters[y] as number;
    let diagonal = none;
    let diagonalRun = 0;
    let apart = none;
    before = none;
    bestAt = none;
    for (let x = 0; x < width; x++) {
      const above = match[x] as number;
      const aboveRun = run[x] as number;
      let here = none;
      if (codes[from + x] === letter && (diagonal > 0 || apart > 0)) {
        const worth = bonus[from + x] as number;
        let carried = Math.max(diagonalRun, consecutive);
        if (worth >= bonuses.boundary && worth > carried) carried = worth;
        const joined = diagonal > 0 ? diagonal + Math.max(carried, worth) : none;
        const skipped = apart > 0 ? apart + worth : none;
        const joins = joined > skipped;
        here = matched + (joins ? joined : skipped);
        run[x] = joins ? carried : worth;
        trace?.mark(y, x, joins);
      }
      diagonal = above;
      diagonalRun = aboveRun;
      apart = best[x] as number;
      // What `best` of the next place will hold is the score before it, with the gap up to there.
      apart = nextApart(x, above, best);
      match[x] = here;
      best[x] = before;
      before = Math.max(before > 0 ? before - gapMore : before, here > 0 ? here - gapStart : none);
      if (here > bestAt) bestAt = here;
    }
  }
  if (trace !== undefined) trace.finish(match, bestAt);
  return bestAt;
}
