import type { FuzzyFileSearchResult } from "@quire/protocol";
import type { PathIndex } from "./path-index.ts";
import { narrows, parseQuery, type Query } from "./query.ts";
import { TimeSlice } from "./time-slice.ts";
import { Top } from "./top.ts";

/** Results that are told of a search. */
const maxResults = 50;

/** Paths between two looks at the clock. */
const batch = 64;

/**
 * Matches queries against an index that may still grow. Remembers what matched the last query: who types on searches in
 * that, and in what has been added.
 */
export class Matcher {
  readonly #index: PathIndex;
  #query: Query = parseQuery("");
  #matches: number[] = [];
  /** What matched the query before and is to be looked at for this one. */
  #pending: number[] = [];
  #seen = 0;
  #top: Top;

  constructor(index: PathIndex) {
    this.#index = index;
    this.#top = new Top(index, maxResults);
  }

  /** Sets what is searched for. */
  set query(text: string) {
    const next = parseQuery(text);
    const isNarrower = narrows(this.#query, next);
    this.#query = next;
    this.#top = new Top(this.#index, maxResults);
    // A search that was given up has not looked at all of them.
    this.#pending = isNarrower ? this.#pending.concat(this.#matches) : [];
    this.#matches = [];
    if (!isNarrower) this.#seen = 0;
  }

  /**
   * Matches all that is there at the call; what is added meanwhile has to wait, or the first results would.
   * Gives `false` when it was given up by the signal.
   *
   * @param reportBy From this time on it ends at the next rest at which there is something to report. Call it again.
   */
  async run(signal: AbortSignal, reportBy: number = Number.POSITIVE_INFINITY): Promise<boolean> {
    const breath = new TimeSlice();
    const { size } = this.#index;
    while (this.#pending.length > 0 || this.#seen < size) {
      if (breath.due) {
        if (!this.#top.isEmpty && performance.now() >= reportBy) return !signal.aborted;
        await breath.take();
      }
      if (signal.aborted) return false;
      this.#step();
    }
    return true;
  }

  /** Whether all that is there was looked at. */
  get done(): boolean {
    return this.#pending.length === 0 && this.#seen >= this.#index.size;
  }

  /** The best so far, best first. Nothing is best for an empty query. */
  results(): FuzzyFileSearchResult[] {
    return this.#top.entries
      .map(({ id, score }) => this.#index.result(id, this.#query, score))
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  #step(): void {
    if (this.#pending.length > 0) {
      for (let left = batch; left > 0 && this.#pending.length > 0; left--) this.#look(this.#pending.pop() as number);
      return;
    }
    const end = Math.min(this.#seen + batch, this.#index.size);
    if (this.#query.atoms.length > 0) for (let id = this.#seen; id < end; id++) this.#look(id);
    this.#seen = end;
  }

  #look(id: number): void {
    const bound = this.#index.bound(id, this.#query);
    if (bound < 0) return;
    this.#matches.push(id);
    // Most match, and few of them well enough.
    if (this.#top.takes(id, bound)) this.#top.add(id, this.#index.score(id, this.#query));
  }
}
