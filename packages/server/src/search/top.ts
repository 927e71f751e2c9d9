import type { PathIndex } from "./path-index.ts";

/** The best so far, best first. Small, so it is kept in order by insertion. */
export class Top {
  readonly #index: PathIndex;
  readonly #limit: number;
  readonly #ids: number[] = [];
  readonly #scores: number[] = [];

  constructor(index: PathIndex, limit: number) {
    this.#index = index;
    this.#limit = limit;
  }

  get entries(): readonly { readonly id: number; readonly score: number }[] {
    return this.#ids.map((id, at) => ({ id, score: this.#scores[at] as number }));
  }

  add(id: number, score: number): void {
    let at = this.#ids.length;
    if (at === this.#limit && !this.#isBefore(id, score, at - 1)) return;
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
