import { type Alphabet, kindBefore, pairBonus } from "./alphabet.ts";

/** Paths as they are written, one after the other: in bytes while all are ASCII. */
export type RawText = Uint8Array | Uint16Array;

/** A part of the buffers. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Text of one path, folded for comparison, and what each of its characters is worth. */
export interface FoldedText {
  readonly codes: Uint16Array;
  readonly bonus: Uint8Array;
}

/** Options for folding a path. */
export interface Folding {
  readonly alphabet: Alphabet;
  /** True to drop accents. */
  readonly plain: boolean;
}

/** Room in which one path after the other is folded. */
export class FoldedPath implements FoldedText {
  codes: Uint16Array = new Uint16Array(512);
  bonus: Uint8Array = new Uint8Array(512);
  length = 0;

  /** Appends a folded part of a path: a folder with its slash, or a name. */
  add(text: RawText, { start, end }: Span, { alphabet, plain }: Folding): void {
    this.#reserve(this.length + end - start);
    const { codes, bonus } = this;
    const { kinds } = alphabet;
    const compared = plain ? alphabet.plain : alphabet.lower;
    let before = kindBefore;
    let to = this.length;
    for (let at = start; at < end; at++) {
      const code = text[at] as number;
      const kind = kinds[code] as number;
      codes[to] = compared[code] as number;
      bonus[to++] = pairBonus[(before << 3) | kind] as number;
      before = kind;
    }
    this.length = to;
  }

  #reserve(length: number): void {
    if (length <= this.codes.length) return;
    const { codes, bonus } = this;
    this.codes = new Uint16Array(length * 2);
    this.codes.set(codes);
    this.bonus = new Uint8Array(length * 2);
    this.bonus.set(bonus);
  }
}
