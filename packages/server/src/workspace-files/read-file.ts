import { closeSync, read, readSync, type Stats } from "node:fs";
import { promisify } from "node:util";
import { runAtOnce } from "../lib/time-slice.ts";
import { type Opened, openFile } from "./open-file.ts";
import { type Access, FileRefused } from "./root.ts";

const pieceBytes = 1 << 20;

/** Options for reading a file. */
export interface ReadAccess extends Access {
  /** Larger files are refused, also those that grow beyond it while being read. */
  readonly maxBytes: number;
}

/** A file that was read. */
export interface ReadFile {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** Reads a file; `undefined` where nothing is there. Throws a {@link FileRefused} for what must not be read. */
export function readFile(path: string, access: ReadAccess): ReadFile | undefined {
  const opened = openFile(path, access);
  if (opened === undefined) return undefined;
  try {
    return { bytes: readAll(opened, path, access.maxBytes), stats: opened.stats };
  } finally {
    closeSync(opened.descriptor);
  }
}

/** Reads what is open. */
export function readAll(opened: Pick<Opened, "descriptor" | "stats">, path: string, max: number): Buffer {
  return runAtOnce(readingAll(opened, path, max));
}

/** Reads what is open in pieces, each of which takes a millisecond at most where the file is in memory. */
export function* readingAll(
  { descriptor, stats }: Pick<Opened, "descriptor" | "stats">,
  path: string,
  max: number,
): Generator<undefined, Buffer> {
  const buffer = new GrowingBuffer(path, stats.size, max);
  for (let count = -1; count !== 0; buffer.filled(count)) {
    if (count > 0) yield;
    const { bytes, at } = buffer.room();
    count = readSync(descriptor, bytes, at, Math.min(pieceBytes, bytes.length - at), null);
  }
  return buffer.content();
}

/** {@link readFile} for a large file, without blocking on the disk. */
export async function readLargeFile(path: string, access: ReadAccess): Promise<ReadFile | undefined> {
  const opened = openFile(path, access);
  if (opened === undefined) return undefined;
  try {
    const { descriptor, stats } = opened;
    const buffer = new GrowingBuffer(path, stats.size, access.maxBytes);
    for (let count = -1; count !== 0; buffer.filled(count)) {
      const { bytes, at } = buffer.room();
      ({ bytesRead: count } = await readLater(descriptor, bytes, at, bytes.length - at, null));
    }
    return { bytes: buffer.content(), stats };
  } finally {
    closeSync(opened.descriptor);
  }
}

const readLater = promisify(read);

/** Reads text; `undefined` where there is none that may be read, for whatever reason. */
export function readTextIfAny(path: string, access: ReadAccess): string | undefined {
  return ifAny(() => readFile(path, access)?.bytes.toString("utf8"));
}

/** Reads the last `maxBytes` of a text; `undefined` where there is none that may be read, for whatever reason. */
export function readEndIfAny(path: string, access: ReadAccess): string | undefined {
  return ifAny(() => {
    const opened = openFile(path, access);
    if (opened === undefined) return undefined;
    const { descriptor, stats } = opened;
    try {
      const bytes = Buffer.alloc(Math.min(stats.size, access.maxBytes));
      const count = readSync(descriptor, bytes, 0, bytes.length, stats.size - bytes.length);
      return bytes.toString("utf8", 0, count);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** True when a path leads to a readable file. */
export function isFile(path: string, access: Access): boolean {
  return ifAny(() => closed(openFile(path, access))) ?? false;
}

/** The stats of a readable file; `undefined` when there is none. */
export function fileStats(path: string, access: Access): Stats | undefined {
  return ifAny(() => {
    const opened = openFile(path, access);
    closed(opened);
    return opened?.stats;
  });
}

/** True when a path leads to a hidden file. */
export function isHiddenFile(path: string, access: Access): boolean {
  try {
    closed(openFile(path, access));
    return false;
  } catch (error) {
    return error instanceof FileRefused && error.reason === "hidden";
  }
}

function closed(opened: Opened | undefined): boolean {
  if (opened === undefined) return false;
  closeSync(opened.descriptor);
  return true;
}

function ifAny<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The part of a file read so far. Its size is only a hint: it may grow, and the kernel's files have none. */
class GrowingBuffer {
  readonly #path: string;
  readonly #maxBytes: number;
  #bytes: Buffer;
  #length = 0;

  constructor(path: string, size: number, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    if (size > maxBytes) throw this.#tooLarge(size);
    // One extra byte: a full buffer means that the file has grown.
    this.#bytes = Buffer.allocUnsafeSlow(size + 1);
  }

  /** The free part of the buffer. */
  room(): { readonly bytes: Buffer; readonly at: number } {
    if (this.#length === this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#maxBytes + 1, this.#bytes.length * 2 + 4096));
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    return { bytes: this.#bytes, at: this.#length };
  }

  filled(count: number): void {
    this.#length += count;
    if (this.#length > this.#maxBytes) throw this.#tooLarge(this.#length);
  }

  content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #tooLarge(bytes: number): FileRefused {
    return new FileRefused("tooLarge", `${this.#path} is larger than ${sizeOf(this.#maxBytes)}`, bytes);
  }
}

function sizeOf(bytes: number): string {
  return bytes >= 1 << 20 ? `${bytes >> 20} MiB` : `${bytes} bytes`;
}
