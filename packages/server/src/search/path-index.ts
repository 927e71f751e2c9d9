import type { FuzzyFileSearchResult } from "@quire/protocol";
import { anyBits, type FoldedText, foldInto, plainCode } from "./fold.ts";
import { atomBound, atomPlaces, atomScore } from "./match-atom.ts";
import type { Query } from "./query.ts";
import { none, type Span } from "./score.ts";

/**
 * Paths in a form that can be searched fast: all text in one buffer, folded once, with a mask of the characters of each.
 * Grows while folders are read; never shrinks.
 */
export class PathIndex {
  readonly #paths: string[] = [];
  readonly #roots: string[] = [];
  readonly #isFolder: boolean[] = [];
  #text: FoldedText = { codes: new Uint16Array(1 << 14), bonus: new Uint8Array(1 << 14) };
  #used = 0;
  #ends = new Uint32Array(1024);
  #bits = new Uint32Array(1024);
  /** Paths with characters beyond ASCII, which may have to be compared without accents. */
  readonly #accented = new Set<number>();

  get size(): number {
    return this.#paths.length;
  }

  add(root: string, path: string, isFolder: boolean): void {
    const id = this.#paths.length;
    this.#reserve(id, path.length);
    const bits = foldInto(path, this.#text, this.#used);
    if (bits === anyBits) this.#accented.add(id);
    this.#used += path.length;
    this.#ends[id] = this.#used;
    this.#bits[id] = bits;
    this.#paths.push(path);
    this.#roots.push(root);
    this.#isFolder.push(isFolder);
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
    const one = this.#paths[a] as string;
    const other = this.#paths[b] as string;
    return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
  }

  /** A path as it is told, with the places of what was searched for. */
  result(id: number, query: Query, score: number): FuzzyFileSearchResult {
    const path = this.#paths[id] as string;
    const span = this.#spanOf(id);
    const places = query.atoms.flatMap((atom) => atomPlaces(this.#textOf(id, atom.plain), span, atom));
    const indices = [...new Set(places.map((place) => charIndex(path, place - span.start)))].sort((a, b) => a - b);
    return {
      root: this.#roots[id] as string,
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
    }
    const needed = this.#used + length;
    if (needed <= this.#text.codes.length) return;
    const { codes, bonus } = this.#text;
    this.#text = { codes: grown(codes, new Uint16Array(needed * 2)), bonus: grown(bonus, new Uint8Array(needed * 2)) };
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Clients count characters, of which some take two places. */
function charIndex(path: string, place: number): number {
  let pairs = 0;
  for (let at = 0; at < place; at++) if ((path.charCodeAt(at) & 0xfc00) === 0xd800) pairs += 1;
  return place - pairs;
}
