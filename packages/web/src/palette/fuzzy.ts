/** Score of a match, and its positions. */
export interface Match {
  readonly score: number;
  /** Indices of the letters that matched. */
  readonly at: readonly number[];
}

/**
 * Matches the letters of a query in order. Letters in a row, at the start of words and early in the text count more.
 * Undefined where they are not all there.
 */
export function fuzzyMatch(text: string, query: string): Match | undefined {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return { score: 0, at: [] };
  const whole = wholeMatch(text, wanted);
  const scattered = scatteredMatch(text, wanted.replaceAll(/\s+/g, ""));
  return (whole?.score ?? -1000) >= (scattered?.score ?? -1000) ? (whole ?? scattered) : scattered;
}

/** All letters in a row: nearly certain at the start of a word, and from three letters on likely within one. */
function wholeMatch(text: string, wanted: string): Match | undefined {
  const lower = text.toLowerCase();
  const starts: number[] = [];
  for (let index = lower.indexOf(wanted); index >= 0; index = lower.indexOf(wanted, index + 1)) starts.push(index);
  const start = starts.find((index) => isWordStart(text, index)) ?? starts[0];
  if (start === undefined) return undefined;
  const bonus = isWordStart(text, start) ? 100 : wanted.length >= 3 ? 40 : 0;
  const at = Array.from({ length: wanted.length }, (_, index) => start + index);
  return { score: bonus + wanted.length * 4 - start * 0.5 - text.length * 0.1, at };
}

function scatteredMatch(text: string, letters: string): Match | undefined {
  const lower = text.toLowerCase();
  const at: number[] = [];
  let score = 0;
  for (const letter of letters) {
    const last = at.at(-1) ?? -1;
    const found = nextIndex(text, lower, letter, last + 1);
    if (found < 0) return undefined;
    if (at.length > 0 && found === last + 1) score += 6;
    if (isWordStart(text, found)) score += 8;
    score += 1 - found * 0.02;
    at.push(found);
  }
  return { score: score - text.length * 0.05, at };
}

/** The next index of a letter; a word's start not far off is preferred. */
function nextIndex(text: string, lower: string, letter: string, from: number): number {
  const first = lower.indexOf(letter, from);
  if (first < 0 || first === from) return first;
  for (let index = first; index >= 0 && index - first < 24; index = lower.indexOf(letter, index + 1)) {
    if (isWordStart(text, index)) return index;
  }
  return first;
}

function isWordStart(text: string, index: number): boolean {
  if (index === 0) return true;
  const before = text[index - 1] ?? "";
  const here = text[index] ?? "";
  return /[\s/_.:-]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(here));
}
