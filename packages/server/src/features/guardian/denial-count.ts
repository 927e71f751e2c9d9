/** Denials in a row, and among the last reviews, that end a turn. */
const maxInRow = 3;
const maxRecent = 10;
const recentReviews = 50;

/** Counts what reviews of a turn have denied. */
export class DenialCount {
  #turnId = "";
  #inRow = 0;
  #recent: boolean[] = [];

  /** Adds a review. Returns a message when there are too many denials. */
  add(turnId: string, denied: boolean): string | undefined {
    if (turnId !== this.#turnId) {
      this.#turnId = turnId;
      this.#inRow = 0;
      this.#recent = [];
    }
    this.#inRow = denied ? this.#inRow + 1 : 0;
    this.#recent = [...this.#recent, denied].slice(-recentReviews);
    const recent = this.#recent.filter(Boolean).length;
    if (this.#inRow < maxInRow && recent < maxRecent) return undefined;
    return `${this.#inRow} consecutive, ${recent} in the last ${recentReviews} reviews`;
  }
}
