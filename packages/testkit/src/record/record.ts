import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { Transport } from "@quire/jsonrpc";
import { TransportWrapper } from "../lib/transport-wrapper.ts";
import { encodeEntry, type RecordingEntry, type Side } from "./recording.ts";

/** Options of {@link record}. */
export interface RecordOptions {
  /** File to write, one entry each line; an existing one is replaced. Without it the entries are kept in memory. */
  readonly file?: string;
  /** Side whose transport is wrapped. Default `client`. */
  readonly side?: Side;
}

/** A transport that remembers every message. */
export interface RecordingTransport extends Transport {
  /** Entries recorded so far; stays empty if they go to a file. */
  readonly entries: readonly RecordingEntry[];
}

/**
 * Wraps a transport so that all that passes is recorded, in the order in which this side saw it. Once `close()` has
 * resolved, the file is complete; it rejects if the file could not be written.
 */
export function record(inner: Transport, options: RecordOptions = {}): RecordingTransport {
  return new Recorder(inner, options);
}

class Recorder extends TransportWrapper implements RecordingTransport {
  readonly entries: RecordingEntry[] = [];
  readonly #began = performance.now();
  readonly #side: Side;
  readonly #file: WriteStream | undefined;
  readonly #written: Promise<void>;

  constructor(inner: Transport, options: RecordOptions) {
    super(inner);
    this.#side = options.side ?? "client";
    this.#file = options.file === undefined ? undefined : createWriteStream(options.file);
    this.#written = this.#file ? finished(this.#file) : Promise.resolve();
    // The caller of close() learns of a failed write; until then it must not count as unhandled.
    this.#written.catch(() => undefined);
  }

  override send(text: string): void {
    this.#note(this.#side, text);
    super.send(text);
  }

  protected override incoming(text: string): void {
    this.#note(this.#side === "client" ? "server" : "client", text);
    super.incoming(text);
  }

  override async close(): Promise<void> {
    try {
      await super.close();
    } finally {
      this.#file?.end();
      await this.#written;
    }
  }

  #note(from: Side, text: string): void {
    if (this.ended) return;
    const entry = { at: Math.round((performance.now() - this.#began) * 1000) / 1000, from, text };
    if (!this.#file) this.entries.push(entry);
    else if (this.#file.writable) this.#file.write(encodeEntry(entry));
  }
}
