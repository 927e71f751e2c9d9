/** Bonus of a matched character by the one before it. The start of a name counts most. */
export const bonuses = { delimiter: 9, boundary: 8, hump: 5 } as const;

const kinds = { white: 0, other: 1, delimiter: 2, lower: 3, upper: 4, letter: 5, digit: 6 } as const;

/** The kind that counts as standing before a path. */
export const kindBefore: number = kinds.delimiter;

/** The bonus of each pair of kinds: of the character before, shifted by three, and of the character itself. */
export const pairBonus: Uint8Array = Uint8Array.from({ length: 64 }, (_, pair) => {
  const before = pair >> 3;
  const kind = pair & 7;
  if (kind > kinds.delimiter && before <= kinds.delimiter) {
    return before === kinds.delimiter ? bonuses.delimiter : bonuses.boundary;
  }
  if (before === kinds.lower && kind === kinds.upper) return bonuses.hump;
  if (before !== kinds.digit && kind === kinds.digit) return bonuses.hump;
  return kind === kinds.other || kind === kinds.white ? bonuses.boundary : 0;
});

/** Properties of characters, indexed by code. */
export interface Alphabet {
  readonly kinds: Uint8Array;
  /** The lower-case character to compare. */
  readonly lower: Uint16Array;
  /** The character to compare with a word without accents. */
  readonly plain: Uint16Array;
}

/** The characters of most paths. */
export const ascii: Alphabet = empty(128);
for (let code = 0; code < 128; code++) learn(ascii, code);

let wide: Alphabet | undefined;
const learned = new Set<number>();

/** An alphabet that has the characters of a text, and those of all texts before. */
export function alphabetWith(text: string): Alphabet {
  if (wide === undefined) {
    wide = empty(1 << 16);
    for (let code = 0; code < 128; code++) learn(wide, code);
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 || learned.has(code)) continue;
    learned.add(code);
    learn(wide, code);
  }
  return wide;
}

function empty(size: number): Alphabet {
  return { kinds: new Uint8Array(size), lower: new Uint16Array(size), plain: new Uint16Array(size) };
}

function learn(alphabet: Alphabet, code: number): void {
  const lower = lowerCode(code);
  alphabet.kinds[code] = kindOf(String.fromCharCode(code));
  alphabet.lower[code] = lower;
  alphabet.plain[code] = plainCode(lower);
}

function kindOf(char: string): number {
  if (char === "/") return kinds.delimiter;
  if (/\p{Lu}/u.test(char)) return kinds.upper;
  if (/\p{Ll}/u.test(char)) return kinds.lower;
  if (/\p{N}/u.test(char)) return kinds.digit;
  if (/[\p{L}\p{Cs}]/u.test(char)) return kinds.letter;
  return char < "\x80" && /\s/.test(char) ? kinds.white : kinds.other;
}

function lowerCode(code: number): number {
  const lower = String.fromCharCode(code).toLowerCase();
  // Some letters become two, which would shift all that follows.
  return lower.length === 1 ? lower.charCodeAt(0) : code;
}

/** A character without its accents. */
export function plainCode(code: number): number {
  return code < 128 ? code : String.fromCharCode(code).normalize("NFD").charCodeAt(0);
}

/** The bits of a text that has characters beyond ASCII: without its accents a letter may be any. */
export const anyBits = 0xffffffff;

/** Bits for the characters in a text: what lacks a bit of the query cannot match it. */
export function charBit(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97);
  if (code >= 48 && code <= 57) return 1 << 26;
  if (code === 47) return 1 << 27;
  if (code === 46) return 1 << 28;
  if (code === 95 || code === 45) return 1 << 29;
  return code < 128 ? 1 << 30 : 0;
}

/** The bit of each ASCII character. */
export const asciiBits: Uint32Array = Uint32Array.from(ascii.lower, charBit);
