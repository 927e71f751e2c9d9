import { charBit, plainCode } from "./alphabet.ts";

/** The way in which a query word must occur. */
type AtomKind = "fuzzy" | "substring" | "prefix" | "postfix" | "exact";

/** A word of a query. */
export interface Atom {
  readonly kind: AtomKind;
  readonly negative: boolean;
  /** In lower case. */
  readonly codes: Uint16Array;
  /** True when accents are ignored: the word itself has none. */
  readonly plain: boolean;
  /** Bits that a text must have to match. */
  readonly bits: number;
}

/** A query: every word must match. */
export interface Query {
  readonly text: string;
  readonly atoms: readonly Atom[];
  /** Bits that a path must have to match. */
  readonly bits: number;
  /** The only word, where it may be found with gaps and names no folder: a file's name counts more for it. */
  readonly named: Atom | undefined;
}

const slash = "/".charCodeAt(0);

/** Characters that count; the rest of a longer query is ignored. */
const maxLength = 256;

/**
 * Parses a query: words separated by spaces (`\ ` is a space), each found in order but with gaps; `'word` without gaps,
 * `^word` at the beginning, `word$` at the end, `!word` not at all.
 */
export function parseQuery(given: string): Query {
  const text = given.slice(0, maxLength);
  const words = text.match(/(?:\\ |\S)+/g) ?? [];
  const atoms = words.map((word) => parseAtom(word)).filter(({ codes }) => codes.length > 0);
  const bits = atoms.reduce((all, atom) => (atom.negative ? all : all | atom.bits), 0);
  const [only] = atoms;
  const isName = atoms.length === 1 && only?.kind === "fuzzy" && !only.negative && !only.codes.includes(slash);
  return { text, atoms, bits, named: isName ? only : undefined };
}

/** True when everything that matches `later` also matches `earlier`, as when a user types on. */
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
