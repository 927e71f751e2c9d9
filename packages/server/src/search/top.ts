import type { PathIndex } from "./path-index.ts";

/** The best so far, best first, kept in order by insertion since there are few. */
export class Top {
  readonly #index: PathIndex;
  readonly #limit: number;
  readonly #ids: number[] = [];
  readonly #scores: number[] = [];

  constructor(index: PathIndex, limit: number) {
    this.#index = index;
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#ids.length === 0;
  }

  get entries(): readonly { readonly id: number; readonly score: number }[] {
    return this.#ids.map((id, at) => ({ id, score: this.#scores[at] as number }));
  }

  /** True when a path with that score would be among them. */
  takes(id: number, score: number): boolean {
    return this.#ids.length < this.#limit || this.#isBefore(id, score, this.#ids.length - 1);
  }

  add(id: number, score: number): void {
    if (!this.takes(id, score)) return;
    let at = this.#ids.length;
    while (at > 0 && this.#isBefore(id, score, at - 1)) at--;
    this.#ids.splice(at, 0, id);
    this.#scores.splice(at, 0, score);
    if (this.#ids.length > this.#limit) {
      this.#ids.pop();
      this.#scores.pop();
    }
  }

  #isBefore(id: number, score: number, at: number): boolean {
    const other = this.#scores[at] as number;
    return score === other ? this.#index.compare(id, this.#ids[at] as number) < 0 : score > other;
  }
}
