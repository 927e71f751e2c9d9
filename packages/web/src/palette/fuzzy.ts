/** How well a text matches, and where. */
export interface Match {
  readonly score: number;
  /** Places of the letters that matched. */
  readonly at: readonly number[];
}

/**
 * Matches the letters of a query in order. Letters in a row, at the start of words and early in the text count more.
 * Undefined where they are not all there.
 */
export function fuzzyMatch(text: string, query: string): Match | undefined {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, "");
  if (wanted === "") return { score: 0, at: [] };
  const lower = text.toLowerCase();
  const whole = lower.indexOf(query.trim().toLowerCase());
  if (whole >= 0) {
    const start = isWordStart(text, whole) ? 40 : 20;
    const at = Array.from({ length: query.trim().length }, (_, index) => whole + index);
    return { score: 100 + start + wanted.length * 4 - whole * 0.5 - text.length * 0.1, at };
  }
  const at: number[] = [];
  let score = 0;
  let from = 0;
  for (const letter of wanted) {
    const found = nextPlace(text, lower, letter, from);
    if (found < 0) return undefined;
    if (found === (at.at(-1) ?? -2) + 1) score += 6;
    if (isWordStart(text, found)) score += 8;
    score += 1 - found * 0.02;
    at.push(found);
    from = found + 1;
  }
  return { score: score - text.length * 0.05, at };
}

/** The next place of a letter; a word's start not far off is preferred. */
function nextPlace(text: string, lower: string, letter: string, from: number): number {
  const first = lower.indexOf(letter, from);
  if (first < 0 || first === from) return first;
  for (let place = first; place >= 0 && place - first < 24; place = lower.indexOf(letter, place + 1)) {
    if (isWordStart(text, place)) return place;
  }
  return first;
}

function isWordStart(text: string, place: number): boolean {
  if (place === 0) return true;
  const before = text[place - 1] ?? "";
  const here = text[place] ?? "";
  return /[\s/_.:-]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(here));
}
