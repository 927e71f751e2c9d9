import { Transform, type TransformCallback } from "node:stream";
import type { BodyLength } from "./request-head.ts";

/** The longest chunk header or trailer line. */
const maxLineBytes = 8192;

/** Passes the body of one request and nothing after it: a second request could name any host, unchecked. */
export class ProxiedBody extends Transform {
  /** Remaining bytes of the body or chunk. */
  #left: number;
  readonly #chunked: boolean;
  /** The next part of a chunked body: a line with a length, the bytes, their line end, the trailer lines. */
  #state: "length" | "bytes" | "end" | "trailer" | "done";
  #line = "";

  constructor(length: BodyLength) {
    super();
    this.#chunked = length === "chunked";
    this.#left = length === "chunked" ? 0 : length;
    this.#state = this.#chunked ? "length" : "bytes";
  }

  override _transform(bytes: Buffer, _: BufferEncoding, done: TransformCallback): void {
    try {
      let at = 0;
      while (at < bytes.length && this.#state !== "done") {
        at = this.#state === "bytes" ? this.#pass(bytes, at) : this.#readLine(bytes, at);
      }
      done(null, bytes.subarray(0, at));
    } catch (error) {
      done(error as Error);
    }
  }

  #pass(bytes: Buffer, at: number): number {
    const taken = Math.min(this.#left, bytes.length - at);
    this.#left -= taken;
    if (this.#left === 0) this.#state = this.#chunked ? "end" : "done";
    return at + taken;
  }

  #readLine(bytes: Buffer, at: number): number {
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    this.#line += bytes.toString("latin1", at, end);
    if (this.#line.length > maxLineBytes) throw new Error("a line of a chunk is too long");
    if (newline >= 0) {
      const line = this.#line;
      this.#line = "";
      this.#take(line);
    }
    return end;
  }

  #take(line: string): void {
    if (!line.endsWith("\r\n") || line.slice(0, -2).includes("\r")) throw new Error("a line of a chunk has no end");
    const text = line.slice(0, -2);
    if (this.#state === "end") {
      if (text !== "") throw new Error("a chunk is longer than it says");
      this.#state = "length";
    } else if (this.#state === "trailer") {
      if (text === "") this.#state = "done";
    } else {
      // No extensions: servers do not agree on where they end.
      if (!/^[0-9a-fA-F]{1,12}$/.test(text)) throw new Error("a chunk does not say how long it is");
      this.#left = Number.parseInt(text, 16);
      this.#state = this.#left === 0 ? "trailer" : "bytes";
    }
  }
}
