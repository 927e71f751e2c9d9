/** The accepted part of some output. */
export interface Taken {
  readonly bytes: Uint8Array;
  /** True when no further output will be accepted. */
  readonly capReached: boolean;
}

/** An output stream of a command with a limit. Keeps the output when it is not streamed. */
export class CappedStream {
  readonly #cap: number;
  readonly #kept: Uint8Array[] | undefined;
  #taken = 0;
  #full = false;

  /** @param cap Maximum bytes; may be `Infinity`. */
  constructor(cap: number, keep: boolean) {
    this.#cap = cap;
    this.#kept = keep ? [] : undefined;
  }

  /** True when output was, or will be, dropped. */
  get full(): boolean {
    return this.#full;
  }

  /** Accepts what still fits; `undefined` when the stream was full already. */
  take(bytes: Uint8Array): Taken | undefined {
    if (this.#full) return undefined;
    const room = this.#cap - this.#taken;
    const fitting = bytes.length > room ? bytes.subarray(0, room) : bytes;
    this.#taken += fitting.length;
    this.#full = this.#taken >= this.#cap;
    this.#kept?.push(fitting);
    return { bytes: fitting, capReached: this.#full };
  }

  /** All kept output. Invalid UTF-8 becomes replacement characters. */
  text(): string {
    if (this.#kept === undefined) return "";
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(this.#kept));
    this.#kept.length = 0;
    return text;
  }
}
