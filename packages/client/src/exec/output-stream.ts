import type { Bytes } from "../lib/base64.ts";
import { Feed } from "../lib/feed.ts";

/**
 * An output of a running command. It has one reader: chunks go to the first that asks. A reader that stops early
 * (`break`) gives up the rest, which is then dropped as it comes.
 */
export class OutputStream extends Feed<Bytes> {
  readonly #maxBytes: number;
  #chunks: Bytes[] = [];
  #first = 0;
  #buffered = 0;
  #truncated = false;
  #over = false;

  /** @internal `maxBytes` is how much is held for a reader that is slow, or not there yet. */
  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  /** True when some of the output was dropped, by the server's limit or because it was not read in time. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** The rest of the output as one piece. */
  async bytes(): Promise<Bytes> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this) {
      chunks.push(chunk);
      length += chunk.length;
    }
    const all = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }

  /** The rest of the output as text. */
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  /** The output as text while it comes. Characters that a chunk cuts in two arrive whole. */
  async *texts(): AsyncGenerator<string, undefined> {
    const decoder = new TextDecoder();
    for await (const chunk of this) {
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") yield text;
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
    return undefined;
  }

  /** @internal Adds what came from the server. */
  push(chunk: Bytes, capReached: boolean): void {
    const room = this.#maxBytes - this.#buffered;
    if (!this.#truncated && !this.ended && chunk.length > 0 && room > 0) {
      const kept = chunk.length > room ? chunk.slice(0, room) : chunk;
      this.#chunks.push(kept);
      this.#buffered += kept.length;
    }
    if (capReached || (chunk.length > room && !this.ended)) this.#truncated = true;
    this.wake();
  }

  /** @internal Nothing more will come: the command has ended, or with an error, the call has failed. */
  end(error?: unknown): void {
    this.#over = true;
    this.finish(error === undefined ? undefined : { error });
  }

  protected override take(): Bytes | undefined {
    const chunk = this.#chunks[this.#first];
    if (chunk === undefined) return undefined;
    this.#first += 1;
    if (this.#first === this.#chunks.length) {
      this.#chunks = [];
      this.#first = 0;
    }
    this.#buffered -= chunk.length;
    return chunk;
  }

  /** Only a reader that gave up loses what is there; at the end it stays readable. */
  protected override release(): void {
    if (this.#over) return;
    this.#chunks = [];
    this.#first = 0;
    this.#buffered = 0;
  }
}
