import type { FuzzyFileSearchResult } from "@quire/protocol";
import { type Alphabet, alphabetWith, anyBits, ascii, asciiBits } from "./alphabet.ts";
import { FoldedPath, type RawText, type Span } from "./fold-case.ts";
import { FuzzyBound } from "./fuzzy-bound.ts";
import { atomPlaces, atomScore } from "./match-atom.ts";
import type { Atom, Query } from "./query.ts";
import { none } from "./score.ts";

/** More than any score within a path: a name that matches comes before all paths that do, and a whole name before it. */
const nameBonus = 1 << 16;
const wholeNameBonus = 2 * nameBonus;

/** A folder whose entries follow each other. */
interface Folder {
  readonly root: string;
  /** Offset of its path (relative to the root, empty or with a slash). The names of its entries follow. */
  readonly start: number;
  readonly end: number;
  readonly bits: number;
  readonly firstId: number;
}

/** Paths in a small form that is fast to search: one text buffer, each folder once, a mask of characters per path. */
export class PathIndex {
  #size = 0;
  #text: RawText = new Uint8Array(1 << 14);
  #used = 0;
  readonly #folders: Folder[] = [];
  #folderOf = new Uint32Array(1024);
  #isFolder = new Uint8Array(1024);
  /** End offsets of the paths. A path begins where the one before, or its folder's path, ended. */
  #ends = new Uint32Array(1024);
  #bits = new Uint32Array(1024);
  #alphabet: Alphabet = ascii;

  /** State computed once for the query and for the current folder. */
  #query: Query | undefined;
  #inFolder = -1;
  #bounds: readonly (FuzzyBound | undefined)[] = [];
  readonly #folded = new FoldedPath();

  get size(): number {
    return this.#size;
  }

  /** Moves to a folder, whose entries are added next. `below` is relative to the root, empty or with a slash. */
  enter(root: string, below: string): void {
    const start = this.#used;
    const bits = this.#write(below);
    this.#folders.push({ root, start, end: this.#used, bits, firstId: this.#size });
  }

  add(name: string, isFolder: boolean): void {
    const id = this.#size;
    if (id === this.#ends.length) this.#growIds(id * 2);
    const folder = this.#folders.length - 1;
    const bits = this.#write(name) | (this.#folders[folder] as Folder).bits;
    this.#ends[id] = this.#used;
    this.#bits[id] = bits;
    this.#folderOf[id] = folder;
    this.#isFolder[id] = isFolder ? 1 : 0;
    this.#size = id + 1;
  }

  /** An upper bound of a path's score, or `none` when it does not match. Takes a fraction of the time. */
  bound(id: number, query: Query): number {
    if ((query.bits & ~(this.#bits[id] as number)) !== 0) return none;
    const place = this.#folderOf[id] as number;
    if (query !== this.#query || place !== this.#inFolder) this.#prepare(query, place);
    const start = this.#startOf(id);
    const end = this.#ends[id] as number;
    let total = 0;
    for (let at = 0; at < this.#bounds.length; at++) {
      const bound = this.#bounds[at]?.of(this.#text, start, end) ?? this.#atomScore(id, query, at);
      if (bound < 0) return none;
      total += bound;
    }
    return query.named === undefined ? total : total + this.#nameBonus(id, query.named);
  }

  score(id: number, query: Query): number {
    let total = 0;
    for (let at = 0; at < query.atoms.length; at++) {
      const score = this.#atomScore(id, query, at);
      if (score < 0) return none;
      total += score;
    }
    return query.named === undefined ? total : total + this.#nameBonus(id, query.named);
  }

  /** Bonus of a match within the name over one spread over the path. Of folders only the whole name counts. */
  #nameBonus(id: number, { codes, plain }: Atom): number {
    const end = this.#ends[id] as number;
    const compared = plain ? this.#alphabet.plain : this.#alphabet.lower;
    let found = 0;
    const start = this.#startOf(id);
    for (let at = start; at < end && found < codes.length; at++) {
      if (compared[this.#text[at] as number] === codes[found]) found += 1;
    }
    if (found < codes.length) return 0;
    if (end - start === codes.length) return wholeNameBonus;
    return this.#isFolder[id] ? 0 : nameBonus;
  }

  #atomScore(id: number, { atoms }: Query, at: number): number {
    const atom = atoms[at] as Query["atoms"][number];
    return atomScore(this.#folded, this.#fold(id, atom.plain), atom);
  }

  /** Orders two paths with the same score: the shorter one first, then by name. */
  compare(a: number, b: number): number {
    const lengths = this.#lengthOf(a) - this.#lengthOf(b);
    if (lengths !== 0) return lengths;
    const one = this.#pathOf(a);
    const other = this.#pathOf(b);
    return one < other ? -1 : one > other ? 1 : 0;
  }

  /** A path with the positions of the matched characters. */
  result(id: number, query: Query, score: number): FuzzyFileSearchResult {
    const path = this.#pathOf(id);
    const places = query.atoms.flatMap((atom) => atomPlaces(this.#folded, this.#fold(id, atom.plain), atom));
    const counted = this.#bits[id] === anyBits ? places.map((place) => charIndex(path, place)) : places;
    return {
      root: this.#folderAt(id).root,
      path,
      match_type: this.#isFolder[id] ? "directory" : "file",
      file_name: path.slice(path.lastIndexOf("/") + 1),
      score,
      indices: [...new Set(counted)].sort((a, b) => a - b),
    };
  }

  #prepare(query: Query, place: number): void {
    const folding = { alphabet: this.#alphabet, plain: false };
    if (query !== this.#query) {
      this.#query = query;
      this.#bounds = query.atoms.map(({ kind, negative, codes, plain }) =>
        kind === "fuzzy" && !negative ? new FuzzyBound(codes, { ...folding, plain }) : undefined,
      );
    }
    this.#inFolder = place;
    const { start, end } = this.#folders[place] as Folder;
    for (const bound of this.#bounds) bound?.enter(this.#text, start, end);
  }

  /** Folds a path into the buffer. Returns its span. */
  #fold(id: number, plain: boolean): Span {
    const folding = { alphabet: this.#alphabet, plain };
    this.#folded.length = 0;
    this.#folded.add(this.#text, this.#folderAt(id), folding);
    this.#folded.add(this.#text, { start: this.#startOf(id), end: this.#ends[id] as number }, folding);
    return { start: 0, end: this.#folded.length };
  }

  #folderAt(id: number): Folder {
    return this.#folders[this.#folderOf[id] as number] as Folder;
  }

  #startOf(id: number): number {
    const folder = this.#folderAt(id);
    return id === folder.firstId ? folder.end : (this.#ends[id - 1] as number);
  }

  #lengthOf(id: number): number {
    const { start, end } = this.#folderAt(id);
    return end - start + (this.#ends[id] as number) - this.#startOf(id);
  }

  #pathOf(id: number): string {
    const { start, end } = this.#folderAt(id);
    return this.#read(start, end) + this.#read(this.#startOf(id), this.#ends[id] as number);
  }

  #read(start: number, end: number): string {
    const { BYTES_PER_ELEMENT: width, buffer } = this.#text;
    return Buffer.from(buffer, start * width, (end - start) * width).toString(width === 1 ? "latin1" : "utf16le");
  }

  /** Appends text. Returns the bits of its characters. */
  #write(text: string): number {
    if (this.#used + text.length > this.#text.length) this.#growText(this.#used + text.length);
    const raw = this.#text;
    let to = this.#used;
    let bits = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code >= 128) return this.#writeWide(text);
      raw[to++] = code;
      bits |= asciiBits[code] as number;
    }
    this.#used = to;
    return bits;
  }

  #writeWide(text: string): number {
    this.#alphabet = alphabetWith(text);
    // Results computed with the narrower alphabet are of no use.
    this.#query = undefined;
    if (this.#text instanceof Uint8Array) this.#text = Uint16Array.from(this.#text);
    for (let at = 0; at < text.length; at++) this.#text[this.#used++] = text.charCodeAt(at);
    return anyBits;
  }

  #growText(needed: number): void {
    const size = Math.ceil(needed * 1.5);
    this.#text = grown(this.#text, this.#text instanceof Uint8Array ? new Uint8Array(size) : new Uint16Array(size));
  }

  #growIds(size: number): void {
    this.#ends = grown(this.#ends, new Uint32Array(size));
    this.#bits = grown(this.#bits, new Uint32Array(size));
    this.#folderOf = grown(this.#folderOf, new Uint32Array(size));
    this.#isFolder = grown(this.#isFolder, new Uint8Array(size));
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Clients count characters, some of which take two places. */
function charIndex(path: string, place: number): number {
  let pairs = 0;
  for (let at = 0; at < place; at++) if ((path.charCodeAt(at) & 0xfc00) === 0xd800) pairs += 1;
  return place - pairs;
}
