import { charBit, plainCode } from "./alphabet.ts";

/** How a word of a query has to occur. */
type AtomKind = "fuzzy" | "substring" | "prefix" | "postfix" | "exact";

/** One word of a query. */
export interface Atom {
  readonly kind: AtomKind;
  /** Whether it must not occur. */
  readonly negative: boolean;
  /** In lower case. */
  readonly codes: Uint16Array;
  /** Whether letters with accents match those without: when the word itself has none. */
  readonly plain: boolean;
  /** What a text must have to match. */
  readonly bits: number;
}

/** What is searched for: every word must be met. */
export interface Query {
  readonly text: string;
  readonly atoms: readonly Atom[];
  /** What a path must have to match. */
  readonly bits: number;
}

/** Characters of a query that count; the rest of a longer one is ignored. */
const maxLength = 256;

/**
 * Reads a query: words apart by spaces (`\ ` is a space), each found in order but with gaps; `'word` without gaps,
 * `^word` at the beginning, `word$` at the end, `!word` not at all.
 */
export function parseQuery(given: string): Query {
  const text = given.slice(0, maxLength);
  const words = text.match(/(?:\\ |\S)+/g) ?? [];
  const atoms = words.map((word) => parseAtom(word)).filter(({ codes }) => codes.length > 0);
  const bits = atoms.reduce((all, atom) => (atom.negative ? all : all | atom.bits), 0);
  return { text, atoms, bits };
}

/** Whether all that matches `later` also matches `earlier`: a user who types on narrows down. */
export function narrows(earlier: Query, later: Query): boolean {
  if (!later.text.startsWith(earlier.text) || /[!$\\]/.test(later.text)) return false;
  return earlier.atoms.length > 0;
}

function parseAtom(word: string): Atom {
  let rest = word;
  const take = (mark: string) => {
    const has = rest.startsWith(mark);
    if (has) rest = rest.slice(1);
    return has;
  };
  const negative = take("!");
  const atStart = take("^");
  const isWhole = !atStart && take("'");
  const atEnd = rest.endsWith("$") && !rest.endsWith("\\$");
  if (atEnd) rest = rest.slice(0, -1);
  const kind = atStart ? (atEnd ? "exact" : "prefix") : atEnd ? "postfix" : isWhole || negative ? "substring" : "fuzzy";
  const letters = rest.replace(/\\([ !^'$])/g, "$1").toLowerCase();
  const codes = Uint16Array.from({ length: letters.length }, (_, index) => letters.charCodeAt(index));
  const plain = codes.every((code) => plainCode(code) === code);
  return { kind, negative, codes, plain, bits: codes.reduce((bits, code) => bits | charBit(code), 0) };
}
