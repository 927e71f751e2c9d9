/** Keeps the last bytes of a stream, for an error that must show what a process said before it died. */
export class Tail {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next chunk. At most twice the limit is held. */
  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk.length > this.#maxBytes ? chunk.subarray(chunk.length - this.#maxBytes) : chunk);
    this.#bytes += Math.min(chunk.length, this.#maxBytes);
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= this.#maxBytes) {
      this.#bytes -= this.#chunks.shift()?.length ?? 0;
    }
  }

  /** The text held, starting at a whole character. */
  toString(): string {
    const bytes = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    let start = Math.max(0, this.#bytes - this.#maxBytes);
    // The cut may fall inside a character; its continuation bytes are skipped.
    while (start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
    return new TextDecoder().decode(bytes.subarray(start));
  }
}
