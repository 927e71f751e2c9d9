import type { FuzzyFileSearchResult } from "@quire/protocol";
import { TimeSlice } from "../lib/time-slice.ts";
import type { PathIndex } from "./path-index.ts";
import { narrows, parseQuery, type Query } from "./query.ts";
import { Top } from "./top.ts";

const maxResults = 50;

/** Paths between two looks at the clock. */
const batch = 64;

/** Matches queries against a growing index. Typing on searches only the last matches and what was added since. */
export class Matcher {
  readonly #index: PathIndex;
  #query: Query = parseQuery("");
  #matches: number[] = [];
  /** Matches of the previous query still to be checked for this one. */
  #pending: number[] = [];
  #seen = 0;
  #top: Top;

  constructor(index: PathIndex) {
    this.#index = index;
    this.#top = new Top(index, maxResults);
  }

  set query(text: string) {
    const next = parseQuery(text);
    const isNarrower = narrows(this.#query, next);
    this.#query = next;
    this.#top = new Top(this.#index, maxResults);
    // An aborted search has not checked all of them.
    this.#pending = isNarrower ? this.#pending.concat(this.#matches) : [];
    this.#matches = [];
    if (!isNarrower) this.#seen = 0;
  }

  /**
   * Matches everything indexed at the time of the call. Returns `false` when aborted.
   * @param reportBy From this time on it ends at the next pause with results to report. Call it again.
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

  /** True when everything indexed was checked. */
  get done(): boolean {
    return this.#pending.length === 0 && this.#seen >= this.#index.size;
  }

  /** The best so far, best first. Empty for an empty query. */
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
