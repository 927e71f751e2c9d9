import type { FuzzyFileSearchResult } from "@quire/protocol";
import { anyBits, type FoldedText, foldInto, plainCode } from "./fold.ts";
import { atomBound, atomPlaces, atomScore } from "./match-atom.ts";
import type { Query } from "./query.ts";
import { none, type Span } from "./score.ts";

interface Folder {
  readonly root: string;
  readonly below: string;
  readonly bits: number;
  /** Where its part of the latest path is in the buffer. */
  start: number;
}

/**
 * Paths in a form that can be searched fast: all text in one buffer, folded once, with a mask of the characters of each.
 * Grows while folders are read; never shrinks.
 */
export class PathIndex {
  readonly #names: string[] = [];
  /** The folder of each path. They come together, and are kept once. */
  readonly #folders: Folder[] = [];
  #folderOf = new Uint32Array(1024);
  #isFolder = new Uint8Array(1024);
  #text: FoldedText = { codes: new Uint8Array(1 << 14), bonus: new Uint8Array(1 << 14) };
  #used = 0;
  #ends = new Uint32Array(1024);
  #bits = new Uint32Array(1024);
  /** Paths with characters beyond ASCII, which may have to be compared without accents. */
  readonly #accented = new Set<number>();

  get size(): number {
    return this.#names.length;
  }

  /** @param below The path of its folder from the root on, with a slash, or empty. */
  add(root: string, below: string, name: string, isFolder: boolean): void {
    const id = this.#names.length;
    this.#reserve(id, below.length + name.length);
    if (this.#text.codes instanceof Uint8Array && beyondAscii.test(name)) this.#widen();
    const start = this.#used;
    const folder = this.#folderFor(root, below);
    this.#used += below.length;
    // What stands before a name is a slash or nothing, which count the same.
    const own = foldInto(name, this.#text, this.#used);
    this.#used += name.length;
    const bits = own === anyBits || folder.bits === anyBits ? anyBits : (own | folder.bits) >>> 0;
    if (bits === anyBits) this.#accented.add(id);
    folder.start = start;
    this.#ends[id] = this.#used;
    this.#bits[id] = bits;
    this.#folderOf[id] = this.#folders.length - 1;
    this.#isFolder[id] = isFolder ? 1 : 0;
    this.#names.push(name);
  }

  /** Writes the folder's part of a path; copied where the path before was in the same. */
  #folderFor(root: string, below: string): Folder {
    const last = this.#folders.at(-1);
    const { codes, bonus } = this.#text;
    if (last?.below === below && last.root === root) {
      codes.copyWithin(this.#used, last.start, last.start + below.length);
      bonus.copyWithin(this.#used, last.start, last.start + below.length);
      return last;
    }
    const folder = { root, below, start: this.#used, bits: foldInto(below, this.#text, this.#used) };
    this.#folders.push(folder);
    return folder;
  }

  #pathOf(id: number): string {
    return (this.#folders[this.#folderOf[id] as number] as Folder).below + this.#names[id];
  }

  /** What the score of a path is at most, or `none` where it does not fit. Takes a fraction of the time. */
  bound(id: number, { atoms, bits }: Query): number {
    if ((bits & ~(this.#bits[id] as number)) !== 0) return none;
    let total = 0;
    for (const atom of atoms) {
      const bound = atomBound(this.#textOf(id, atom.plain), this.#spanOf(id), atom);
      if (bound < 0) return none;
      total += bound;
    }
    return total;
  }

  /** How well a path fits, or `none`. */
  score(id: number, { atoms }: Query): number {
    let total = 0;
    for (const atom of atoms) {
      const score = atomScore(this.#textOf(id, atom.plain), this.#spanOf(id), atom);
      if (score < 0) return none;
      total += score;
    }
    return total;
  }

  /** Orders two paths with the same score: the shorter one first, then by name. */
  compare(a: number, b: number): number {
    const lengths = this.#spanOf(a).end - this.#spanOf(a).start - this.#spanOf(b).end + this.#spanOf(b).start;
    if (lengths !== 0) return lengths;
    const one = this.#pathOf(a);
    const other = this.#pathOf(b);
    return one < other ? -1 : one > other ? 1 : 0;
  }

  /** A path as it is told, with the places of what was searched for. */
  result(id: number, query: Query, score: number): FuzzyFileSearchResult {
    const path = this.#pathOf(id);
    const span = this.#spanOf(id);
    const places = query.atoms.flatMap((atom) => atomPlaces(this.#textOf(id, atom.plain), span, atom));
    const indices = [...new Set(places.map((place) => charIndex(path, place - span.start)))].sort((a, b) => a - b);
    return {
      root: (this.#folders[this.#folderOf[id] as number] as Folder).root,
      path,
      match_type: this.#isFolder[id] ? "directory" : "file",
      file_name: path.slice(path.lastIndexOf("/") + 1),
      score,
      indices,
    };
  }

  #spanOf(id: number): Span {
    return { start: id === 0 ? 0 : (this.#ends[id - 1] as number), end: this.#ends[id] as number };
  }

  #textOf(id: number, plain: boolean): FoldedText {
    if (!plain || this.#accented.size === 0 || !this.#accented.has(id)) return this.#text;
    const { start, end } = this.#spanOf(id);
    // Same places as in the whole, so that nothing has to be shifted back. Few paths come here.
    const codes = new Uint16Array(end);
    for (let at = start; at < end; at++) codes[at] = plainCode(this.#text.codes[at] as number);
    return { codes, bonus: this.#text.bonus };
  }

  #reserve(id: number, length: number): void {
    if (id >= this.#ends.length) {
      this.#ends = grown(this.#ends, new Uint32Array(id * 2));
      this.#bits = grown(this.#bits, new Uint32Array(id * 2));
      this.#folderOf = grown(this.#folderOf, new Uint32Array(id * 2));
      this.#isFolder = grown(this.#isFolder, new Uint8Array(id * 2));
    }
    const needed = this.#used + length;
    if (needed <= this.#text.codes.length) return;
    const { codes, bonus } = this.#text;
    const larger = Math.ceil(needed * 1.5);
    const wider = codes instanceof Uint8Array ? new Uint8Array(larger) : new Uint16Array(larger);
    wider.set(codes);
    this.#text = { codes: wider, bonus: grown(bonus, new Uint8Array(larger)) };
  }

  /** Makes room for characters that do not fit into a byte. The path of a folder is made of names that came before. */
  #widen(): void {
    this.#text = { codes: Uint16Array.from(this.#text.codes), bonus: this.#text.bonus };
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
const beyondAscii = /[^\x00-\x7f]/;

function grown<T extends Uint8Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Clients count characters, of which some take two places. */
function charIndex(path: string, place: number): number {
  let pairs = 0;
  for (let at = 0; at < place; at++) if ((path.charCodeAt(at) & 0xfc00) === 0xd800) pairs += 1;
  return place - pairs;
}
