/** What a character adds when it is matched, by what stands before it. A match at the start of a name is worth most. */
export const bonuses = { delimiter: 9, boundary: 8, hump: 5 } as const;

const kinds = { white: 0, other: 1, delimiter: 2, lower: 3, upper: 4, letter: 5, digit: 6 } as const;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/\s/.test(char)) return kinds.white;
  if (char === "/") return kinds.delimiter;
  if (/[a-z]/.test(char)) return kinds.lower;
  if (/[A-Z]/.test(char)) return kinds.upper;
  return /\d/.test(char) ? kinds.digit : kinds.other;
});

function kindOf(code: number): number {
  if (code < 128) return asciiKinds[code] as number;
  const char = String.fromCharCode(code);
  if (/\p{Lu}/u.test(char)) return kinds.upper;
  if (/\p{Ll}/u.test(char)) return kinds.lower;
  if (/\p{N}/u.test(char)) return kinds.digit;
  return /[\p{L}\p{Cs}]/u.test(char) ? kinds.letter : kinds.other;
}

/** The bonus of each pair of kinds: of the character before, and of the character itself. */
const pairs = Uint8Array.from({ length: 64 }, (_, pair) => {
  const before = pair >> 3;
  const kind = pair & 7;
  if (kind > kinds.delimiter && before <= kinds.delimiter) {
    return before === kinds.delimiter ? bonuses.delimiter : bonuses.boundary;
  }
  if (before === kinds.lower && kind === kinds.upper) return bonuses.hump;
  if (before !== kinds.digit && kind === kinds.digit) return bonuses.hump;
  return kind === kinds.other || kind === kinds.white ? bonuses.boundary : 0;
});

/** Room for text of one path, folded for comparison, and what each of its characters is worth. */
export interface FoldedText {
  /** As narrow as the text allows: most trees have ASCII alone. */
  readonly codes: Uint8Array | Uint16Array;
  readonly bonus: Uint8Array;
}

/** Of each ASCII character: what it is compared as, and its bit. */
const asciiLower = Uint8Array.from({ length: 128 }, (_, code) => (asciiKinds[code] === kinds.upper ? code | 32 : code));
const asciiBits = Uint32Array.from(asciiLower, charBit);

/** The bits of a text that has characters beyond ASCII: without its accents a letter may be any. */
export const anyBits = 0xffffffff;

/** Writes a path into the buffers from `at` on, in lower case. Gives the bits of its characters. */
export function foldInto(path: string, { codes, bonus }: FoldedText, at: number): number {
  let before: number = kinds.delimiter;
  let bits = 0;
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index);
    const isAscii = code < 128;
    const kind = isAscii ? (asciiKinds[code] as number) : kindOf(code);
    bonus[at + index] = pairs[(before << 3) | kind] as number;
    before = kind;
    codes[at + index] = isAscii ? (asciiLower[code] as number) : lowerCode(code);
    bits = isAscii ? bits | (asciiBits[code] as number) : anyBits;
  }
  return bits >>> 0;
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

/** Bits for the characters in a text: what lacks a bit of the query cannot match it. */
export function charBit(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97);
  if (code >= 48 && code <= 57) return 1 << 26;
  if (code === 47) return 1 << 27;
  if (code === 46) return 1 << 28;
  if (code === 95 || code === 45) return 1 << 29;
  return code < 128 ? 1 << 30 : 0;
}
