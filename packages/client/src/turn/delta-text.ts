/** Pieces joined at a time. */
const blockSize = 512;

/**
 * Text that comes in many small pieces. Joined block by block: with `+=` an engine keeps every piece, and a link to it,
 * until somebody reads the whole, which for a long message costs more than all the rest of it.
 */
export class DeltaText {
  readonly #blocks: string[] = [];
  #pieces: string[] = [];

  /** Appends a piece. */
  push(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length < blockSize) return;
    this.#blocks.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  /** All of it. */
  toString(): string {
    return this.#blocks.join("") + this.#pieces.join("");
  }
}
