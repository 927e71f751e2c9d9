import { bonuses, kindBefore, pairBonus } from "./alphabet.ts";
import type { Folding, RawText } from "./fold-case.ts";
import { none, runScore } from "./score.ts";

/**
 * What the score of letters is at most, told without folding a path: every letter in a run, from the best place of the
 * first on. The path of a folder is gone through once for all that is in it.
 */
export class FuzzyBound {
  readonly #letters: Uint16Array;
  readonly #kinds: Uint8Array;
  readonly #compared: Uint16Array;
  /** Letters that were found so far, and what the best place of the first one is worth; and both in the folder alone. */
  #found = 0;
  #best: number = none;
  #foundInFolder = 0;
  #bestInFolder: number = none;

  constructor(letters: Uint16Array, { alphabet, plain }: Folding) {
    this.#letters = letters;
    this.#kinds = alphabet.kinds;
    this.#compared = plain ? alphabet.plain : alphabet.lower;
  }

  /** Goes into a folder, whose path ends with a slash or is empty. */
  enter(text: RawText, start: number, end: number): void {
    this.#found = 0;
    this.#best = none;
    this.#go(text, start, end);
    this.#foundInFolder = this.#found;
    this.#bestInFolder = this.#best;
  }

  /** For a name in the folder; {@link none} where the letters do not occur in this order. */
  of(text: RawText, start: number, end: number): number {
    this.#found = this.#foundInFolder;
    this.#best = this.#bestInFolder;
    this.#go(text, start, end);
    return this.#found < this.#letters.length ? none : runScore(this.#letters.length, this.#best);
  }

  #go(text: RawText, start: number, end: number): void {
    const letters = this.#letters;
    const compared = this.#compared;
    const first = letters[0] as number;
    let found = this.#found;
    let at = start;
    for (; at < end && found < letters.length; at++) {
      const code = compared[text[at] as number] as number;
      if (code === first) this.#note(text, start, at);
      if (code === letters[found]) found += 1;
    }
    // No place is worth more than the start of a name.
    for (; at < end && this.#best < bonuses.delimiter; at++) {
      if (compared[text[at] as number] === first) this.#note(text, start, at);
    }
    this.#found = found;
  }

  #note(text: RawText, start: number, at: number): void {
    const before = at === start ? kindBefore : (this.#kinds[text[at - 1] as number] as number);
    const bonus = pairBonus[(before << 3) | (this.#kinds[text[at] as number] as number)] as number;
    if (bonus > this.#best) this.#best = bonus;
  }
}
