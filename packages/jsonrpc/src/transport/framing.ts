import { ConnectionError } from "../message/errors.ts";

const newline = 0x0a;
const byteOrderMark = "\uFEFF";
/** Pieces of a partial line below this are copied together: kept as they came, each costs more than the bytes in it. */
const smallPiece = 1024;
const scratchBytes = 16 * 1024;
/** Buffers of longer lines are freed at once; until the next garbage collection they would be held several times. */
const largeLine = 1024 * 1024;

/**
 * Cuts a byte stream into lines at 0x0A and nowhere else.
 *
 * U+2028 and U+2029 are ordinary characters, a `\r` before the newline is whitespace to JSON, empty lines vanish.
 * Only whole lines are decoded, so a UTF-8 sequence cut by a chunk border never matters; bytes that are no UTF-8 become
 * U+FFFD. A byte order mark is dropped at the start of the stream and nowhere else. Time and memory are linear in the
 * bytes whatever the chunk size: a partial line is kept as the chunks it came in, small ones copied together.
 *
 * Pull interface: `push` a chunk, then `read` until it gives `undefined`. A reader that stops in between loses nothing.
 */
export class LineReader {
  readonly #maxBytes: number;
  readonly #ownsChunks: boolean;
  // Left to itself the decoder drops a byte order mark in front of every chunk, so that the cuts would decide.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #atStart = true;
  /** Decoded lines, of which `#at` have been read. */
  #lines: string[] = [];
  #at = 0;
  /** The line that has no newline yet. */
  #partial: Uint8Array[] = [];
  #partialBytes = 0;
  #scratch: Uint8Array | undefined;
  #breach: ConnectionError | undefined;

  /**
   * @param maxBytes Largest line accepted, its newline not counted.
   * @param ownsChunks Whether nobody else uses what is pushed: then chunks of a large line are freed with it.
   */
  constructor(maxBytes: number, ownsChunks: boolean = false) {
    this.#maxBytes = maxBytes;
    this.#ownsChunks = ownsChunks;
  }

  /** Amount pushed and not read yet, in bytes and characters. */
  get waiting(): number {
    // Counted when asked for, which is while reading is paused, instead of with every line.
    let characters = 0;
    for (let at = this.#at; at < this.#lines.length; at++) characters += (this.#lines[at]?.length ?? 0) + 1;
    return characters + this.#partialBytes;
  }

  /** Takes the next chunk. The reader may keep a view of it until its last line is complete. */
  push(chunk: Uint8Array): void {
    if (this.#breach) return;
    const end = chunk.lastIndexOf(newline) + 1;
    // No line in here can be too long unless this holds, so the lines are measured one by one only then.
    if (this.#partialBytes + chunk.length > this.#maxBytes && this.#tooLong(chunk)) return;
    if (end === 0) {
      this.#keep(chunk);
      return;
    }
    if (this.#partialBytes > 0) {
      const first = chunk.indexOf(newline) + 1;
      const whole = this.#joined(chunk.subarray(0, first));
      this.#append(whole);
      if (whole.length > largeLine) free(whole);
      if (first < end) this.#append(chunk.subarray(first, end));
    } else {
      this.#append(chunk.subarray(0, end));
    }
    if (end < chunk.length) this.#keep(chunk.subarray(end));
  }

  /** The next line, or `undefined` when more bytes are needed. Throws after the last line before one that was too long. */
  read(): string | undefined {
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at++] as string;
      if (line.length > largeLine) this.#lines[this.#at - 1] = "";
      if (line.length > 1 || (line !== "" && line !== "\r")) return line;
    }
    const breach = this.#breach;
    if (breach) throw breach;
    return undefined;
  }

  /** The stream has ended: the text after the last newline counts as a line. */
  end(): void {
    if (this.#partialBytes > 0) this.#append(this.#joined(Uint8Array.of(newline)));
  }

  #keep(bytes: Uint8Array): void {
    this.#partialBytes += bytes.length;
    const last = this.#partial.length - 1;
    if (last < 0 || bytes.length >= smallPiece) {
      this.#partial.push(bytes);
      return;
    }
    const before = this.#partial[last] as Uint8Array;
    const length = before.length + bytes.length;
    if (this.#scratch && before.buffer === this.#scratch.buffer && length <= scratchBytes) {
      this.#scratch.set(bytes, before.length);
      this.#partial[last] = this.#scratch.subarray(0, length);
    } else {
      this.#scratch = new Uint8Array(scratchBytes);
      this.#scratch.set(bytes);
      this.#partial.push(this.#scratch.subarray(0, bytes.length));
    }
  }

  #append(bytes: Uint8Array): void {
    let text = this.#decoder.decode(bytes);
    if (this.#atStart) {
      this.#atStart = false;
      if (text.startsWith(byteOrderMark)) text = text.slice(1);
    }
    // Split at once and natively: lines cut one by one out of a text that was put together are slow to parse.
    const lines = text.split("\n");
    lines.pop();
    if (this.#at === this.#lines.length) {
      this.#lines = lines;
      this.#at = 0;
    } else {
      for (const line of lines) this.#lines.push(line);
    }
  }

  #joined(tail: Uint8Array): Uint8Array {
    const whole = new Uint8Array(this.#partialBytes + tail.length);
    let at = 0;
    for (const part of this.#partial) {
      whole.set(part, at);
      at += part.length;
    }
    whole.set(tail, at);
    if (this.#ownsChunks && at > largeLine) {
      for (const part of this.#partial) free(part);
      this.#scratch = undefined;
    }
    this.#partial = [];
    this.#partialBytes = 0;
    return whole;
  }

  /** Finds the first line over the limit; the lines before it stay readable, all after it is dropped. */
  #tooLong(chunk: Uint8Array): boolean {
    let start = 0;
    let length = this.#partialBytes;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      length += (end < 0 ? chunk.length : end) - start;
      if (length > this.#maxBytes) break;
      if (end < 0) return false;
      start = end + 1;
      length = 0;
    }
    if (start > 0) this.push(chunk.subarray(0, start));
    this.#partial = [];
    this.#partialBytes = 0;
    this.#breach = messageTooLarge(this.#maxBytes);
    return true;
  }
}

/** Frees the memory of bytes that fill it, which nobody may look at any more. */
function free({ buffer, byteLength }: Uint8Array): void {
  // Not there before Node 22, where it waits for the next collection.
  const { transfer } = buffer as { transfer?: (length: number) => unknown };
  if (byteLength === buffer.byteLength) transfer?.call(buffer, 0);
}

/** The error of a message over the limit; it names the limit and how to raise it. */
export function messageTooLarge(maxBytes: number): ConnectionError {
  return new ConnectionError(
    "invalid-message",
    `The peer sent a message of more than ${maxBytes} bytes, the limit set by maxMessageBytes; the connection was ended`,
  );
}
