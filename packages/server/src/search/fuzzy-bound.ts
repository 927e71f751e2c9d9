import { bonuses, kindBefore, pairBonus } from "./alphabet.ts";
import type { Folding, RawText } from "./fold-case.ts";
import { none, runScore } from "./score.ts";

/** An upper bound of a score without folding the path: all letters in one run from the first one's best place on. */
export class FuzzyBound {
  readonly #letters: Uint16Array;
  readonly #kinds: Uint8Array;
  readonly #compared: Uint16Array;
  /** Letters found so far and the value of the first one's best place; and both in the folder alone. */
  #found = 0;
  #best: number = none;
  #foundInFolder = 0;
  #bestInFolder: number = none;

  constructor(letters: Uint16Array, { alphabet, plain }: Folding) {
    this.#letters = letters;
    this.#kinds = alphabet.kinds;
    this.#compared = plain ? alphabet.plain : alphabet.lower;
  }

  /** Enters a folder, whose path ends with a slash or is empty. */
  enter(text: RawText, start: number, end: number): void {
    this.#found = 0;
    this.#best = none;
    this.#go(text, start, end);
    this.#foundInFolder = this.#found;
    this.#bestInFolder = this.#best;
  }

  /** The bound for a name in the folder; {@link none} when the letters do not occur in order. */
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
