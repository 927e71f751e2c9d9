import { constants, readFileSync, type Stats, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { EncodedResult } from "@quire/jsonrpc";
import { invalidRequest } from "../lib/rpc-errors.ts";

/** A multiple of three, so that the pieces join without padding. */
const pieceBytes = 3 * 256 * 1024;

/** A larger file, as base64, exceeds the usual limit of messages. */
const maxBytes = 512 * 1024 * 1024;

/** Smaller files are read faster than another thread can be asked to. */
const smallBytes = 64 * 1024;

const head = Buffer.from('{"dataBase64":"');
const tail = Buffer.from('"}');

/** The `fs/readFile` response for a file. A large one is encoded into the message itself, and held once. */
export async function readFileBase64(
  path: string,
  most: number = maxBytes,
): Promise<{ dataBase64: string } | EncodedResult> {
  const { size } = checked(path, statSync(path), most);
  if (size > 0 && size <= smallBytes) return { dataBase64: readFileSync(path).toString("base64") };
  // If it has become a pipe since, nobody waits for it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    checked(path, await file.stat(), most);
    let read = 0;
    const message = new Message(size);
    const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, Math.max(size + 1, 3)));
    let filled = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, null);
      filled += bytesRead;
      read += bytesRead;
      // Some of the system's own files have no size and no end.
      if (read > most) throw tooLarge(path, read, most);
      if (bytesRead > 0 && filled < buffer.length) continue;
      // Only the last piece may have a length that needs padding.
      const whole = bytesRead === 0 ? filled : filled - (filled % 3);
      message.add(buffer.toString("base64", 0, whole));
      buffer.copyWithin(0, whole, filled);
      filled -= whole;
      if (bytesRead === 0) return new EncodedResult(message.done());
    }
  } finally {
    await file.close();
  }
}

/** Base64 within its JSON. Grows with a file that grew while it was read. */
class Message {
  #bytes: Buffer;
  #length: number;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(head.length + Math.ceil(size / 3) * 4 + tail.length);
    this.#length = head.copy(this.#bytes);
  }

  add(text: string): void {
    const needed = this.#length + text.length + tail.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length, "latin1");
  }

  done(): Uint8Array {
    this.#length += tail.copy(this.#bytes, this.#length);
    return this.#bytes.subarray(0, this.#length);
  }
}

function checked(path: string, stats: Stats, most: number): Stats {
  if (!stats.isFile()) throw invalidRequest(`path \`${path}\` is not a file`);
  if (stats.size <= most) return stats;
  throw tooLarge(path, stats.size, most);
}

function tooLarge(path: string, size: number, most: number): Error {
  return invalidRequest(`file \`${path}\` is too large: ${size} bytes, at most ${most} are read`);
}
