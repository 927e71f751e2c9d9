import { Transform, type TransformCallback } from "node:stream";
import type { Random } from "../lib/random.ts";
import { junkLine } from "./junk.ts";

/** Faults of a byte stream. */
export interface ByteFaults {
  /**
   * Chunk boundaries: after every byte, at these offsets from the beginning of the stream, or at random with 1 to 64
   * bytes a chunk.
   */
  readonly split?: "every-byte" | readonly number[] | Random;
  /** Breaks the stream off after so many bytes, in the middle of a line and of a character if need be. */
  readonly cutAfter?: number;
  /** Adds junk lines after half of the lines; some are no valid UTF-8. */
  readonly junk?: Random;
}

const newline = 0x0a;

/** A stream that passes bytes on with faults. Pipe a child's stdout through it, or use {@link bytePair}. */
export function faultyBytes(faults: ByteFaults): Transform {
  return new FaultyBytes(faults);
}

class FaultyBytes extends Transform {
  readonly #faults: ByteFaults;
  #offset = 0;

  constructor(faults: ByteFaults) {
    super();
    this.#faults = faults;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = this.#faults.junk ? withJunk(chunk, this.#faults.junk) : chunk;
    const { cutAfter = Number.POSITIVE_INFINITY } = this.#faults;
    const whole = bytes.subarray(0, Math.max(0, cutAfter - this.#offset));
    for (let start = 0; start < whole.length; ) {
      const end = Math.min(whole.length, start + this.#chunkLength());
      this.push(whole.subarray(start, end));
      this.#offset += end - start;
      start = end;
    }
    if (whole.length === bytes.length && this.#offset < cutAfter) {
      done();
      return;
    }
    // Destroyed in a later turn of the loop, so that what was passed on before is read first.
    setImmediate(() => this.destroy(new Error(`Cut by a test after ${cutAfter} bytes`)));
  }

  /** Maximum length of the next chunk. */
  #chunkLength(): number {
    const { split } = this.#faults;
    if (split === undefined) return Number.POSITIVE_INFINITY;
    if (split === "every-byte") return 1;
    if ("int" in split) return split.int(1, 64);
    const next = split.find((position) => position > this.#offset);
    return next === undefined ? Number.POSITIVE_INFINITY : next - this.#offset;
  }
}

/** Junk goes behind a newline only: in the middle of a line it would destroy the message. */
function withJunk(chunk: Buffer, random: Random): Buffer {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < chunk.length; ) {
    const found = chunk.indexOf(newline, start);
    const end = found < 0 ? chunk.length : found + 1;
    parts.push(chunk.subarray(start, end));
    if (found >= 0 && random.chance()) parts.push(junkBytes(random), Uint8Array.of(newline));
    start = end;
  }
  return Buffer.concat(parts);
}

function junkBytes(random: Random): Uint8Array {
  if (random.chance()) return Buffer.from(junkLine(random));
  return random.bytes(random.int(1, 60)).map((byte) => (byte === newline ? 0xff : byte));
}
