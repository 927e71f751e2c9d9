import { bonuses } from "./alphabet.ts";
import type { FoldedText, Span } from "./fold-case.ts";

const matched = 16;
/** Costs of a gap between two matches: its first character, and each further one. */
const gapStart = 3;
const gapMore = 1;
/** Bonus of a character right after a match. */
const consecutive = 4;
/** The first character says most about the intent. */
const firstFactor = 2;

/** Above this much work for one text, letters are matched at the first place that fits, not at the best. */
const maxCells = 64 * 1024;

/** No match. Scores are never negative. */
export const none: number = -1;

/** The table of a match, kept to find the places of its letters. */
interface Table {
  readonly scores: Int32Array;
  /** 1 where a letter joins the one before. */
  readonly joins: Uint8Array;
}

let row = new Int32Array(1024);
/** The value of a run of matches for each letter that joins it. */
let runs = new Int32Array(1024);

/** The maximum of {@link fuzzyScore} for so many letters by the bonus of the first one's best place: all in one run. */
export function runScore(letters: number, best: number): number {
  return letters * matched + best * firstFactor + (letters - 1) * bonuses.delimiter;
}

/** The best score with which the letters occur in this order, or {@link none}. */
export function fuzzyScore(text: FoldedText, span: Span, letters: Uint16Array): number {
  const window = windowOf(text, span, letters);
  if (window === undefined) return none;
  if ((window.end - window.start) * letters.length > maxCells) {
    return placesScore(text, firstPlaces(text, window, letters));
  }
  return bestScore(text, window, letters);
}

/** The places of the letters in the best match. They must occur. */
export function fuzzyPlaces(text: FoldedText, span: Span, letters: Uint16Array): number[] {
  const window = windowOf(text, span, letters) ?? span;
  const width = window.end - window.start;
  if (width * letters.length > maxCells) return firstPlaces(text, window, letters);
  const cells = width * letters.length;
  const table = { scores: new Int32Array(cells), joins: new Uint8Array(cells) };
  bestScore(text, window, letters, table);
  const places: number[] = [];
  let y = letters.length - 1;
  let x = bestBefore(table, y * width, width, 0);
  for (;;) {
    places.unshift(window.start + x);
    if (y === 0) return places;
    x = table.joins[y * width + x] === 1 ? x - 1 : bestBefore(table, (y - 1) * width, x - 1, gapMore);
    y -= 1;
  }
}

/** The score of letters at given places. */
export function placesScore({ bonus }: FoldedText, places: readonly number[]): number {
  const [first = 0, ...rest] = places;
  let run = bonus[first] as number;
  let score = matched + run * firstFactor;
  let before = first;
  for (const place of rest) {
    const worth = bonus[place] as number;
    const gap = place - before - 1;
    if (gap === 0) {
      run = carriedOn(run, worth);
      score += matched + Math.max(run, worth);
    } else {
      run = worth;
      score = Math.max(score - gapStart - (gap - 1) * gapMore, 0) + matched + worth;
    }
    before = place;
  }
  return score;
}

/**
 * Smith–Waterman, row by row. Each cell is the best score with the letter there, joined to the one before or after a
 * gap.
 */
function bestScore({ codes, bonus }: FoldedText, { start, end }: Span, letters: Uint16Array, table?: Table): number {
  const width = end - start;
  if (width > row.length) {
    row = new Int32Array(width * 2);
    runs = new Int32Array(width * 2);
  }
  let best = none;
  for (let y = 0; y < letters.length; y++) {
    const letter = letters[y] as number;
    // The row above at the two places before, and its best further back minus the gap to here.
    let joined = none;
    let joinedRun = 0;
    let back = none;
    let apart = none;
    best = none;
    for (let x = 0; x < width; x++) {
      const above = row[x] as number;
      const aboveRun = runs[x] as number;
      let here = none;
      if (codes[start + x] === letter) {
        const worth = bonus[start + x] as number;
        if (y === 0) {
          here = matched + worth * firstFactor;
          runs[x] = worth;
        } else {
          const run = carriedOn(joinedRun, worth);
          const asRun = joined < 0 ? none : joined + Math.max(run, worth);
          const afterGap = apart < 0 ? none : apart + worth;
          if (asRun >= 0 || afterGap >= 0) {
            const joins = asRun > afterGap;
            here = matched + (joins ? asRun : afterGap);
            runs[x] = joins ? run : worth;
            if (table !== undefined) table.joins[y * width + x] = joins ? 1 : 0;
          }
        }
        if (here > best) best = here;
      }
      if (table !== undefined) table.scores[y * width + x] = here;
      row[x] = here;
      // Never negative: a long gap costs no more than what was there.
      if (apart >= 0) apart = Math.max(apart - gapMore, 0);
      back = joined;
      if (back >= 0) apart = Math.max(apart, back - gapStart, 0);
      joined = above;
      joinedRun = aboveRun;
    }
  }
  return best;
}

function carriedOn(run: number, worth: number): number {
  const carried = Math.max(run, consecutive);
  return worth >= bonuses.boundary && worth > carried ? worth : carried;
}

/** The place of the best score in a row before `limit`, at a cost for each place further back. */
function bestBefore({ scores }: Table, offset: number, limit: number, price: number): number {
  let best = none;
  let place = 0;
  for (let x = 0; x < limit; x++) {
    const score = scores[offset + x] as number;
    if (score < 0) continue;
    const worth = Math.max(score - (limit - 1 - x) * price, 0);
    if (worth > best) {
      best = worth;
      place = x;
    }
  }
  return place;
}

/** The span from the first letter's first place to the last letter's last; `undefined` when not in order. */
function windowOf({ codes }: FoldedText, { start, end }: Span, letters: Uint16Array): Span | undefined {
  const first = letters[0] as number;
  let at = start;
  while (at < end && codes[at] !== first) at++;
  const from = at;
  for (let y = 0; y < letters.length; y++) {
    const letter = letters[y];
    while (at < end && codes[at] !== letter) at++;
    if (at++ >= end) return undefined;
  }
  const last = letters[letters.length - 1];
  let to = end;
  while (codes[to - 1] !== last) to--;
  return { start: from, end: to };
}

function firstPlaces({ codes }: FoldedText, { start }: Span, letters: Uint16Array): number[] {
  let at = start;
  return Array.from(letters, (letter) => {
    while (codes[at] !== letter) at++;
    return at++;
  });
}
