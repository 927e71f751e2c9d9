/** What is to be done with some output. */
export interface Taken {
  readonly bytes: Uint8Array;
  /** Whether nothing will be taken any more. */
  readonly capReached: boolean;
}

/** One output stream of a command: takes as much as is allowed, and keeps it where nobody is told meanwhile. */
export class CappedStream {
  readonly #cap: number;
  readonly #kept: Uint8Array[] | undefined;
  #taken = 0;
  #full = false;

  /** @param cap Bytes to take; `Infinity` for all. */
  constructor(cap: number, keep: boolean) {
    this.#cap = cap;
    this.#kept = keep ? [] : undefined;
  }

  /** Whether output was, or is to be, left out. */
  get full(): boolean {
    return this.#full;
  }

  /** Takes what still fits; `undefined` when the stream was full already. */
  take(bytes: Uint8Array): Taken | undefined {
    if (this.#full) return undefined;
    const room = this.#cap - this.#taken;
    const fitting = bytes.length > room ? bytes.subarray(0, room) : bytes;
    this.#taken += fitting.length;
    this.#full = this.#taken >= this.#cap;
    this.#kept?.push(fitting);
    return { bytes: fitting, capReached: this.#full };
  }

  /** All that was kept. Bytes that are no UTF-8 show as replacement characters. */
  text(): string {
    if (this.#kept === undefined) return "";
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(this.#kept));
    this.#kept.length = 0;
    return text;
  }
}
