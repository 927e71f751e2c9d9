import { ftruncateSync, readSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin } from "../lib/is-within.ts";
import { runAtOnce } from "../lib/time-slice.ts";
import { readingPinned } from "../workspace-files/pinned-file.ts";
import { PinnedFolders } from "../workspace-files/pinned-folders.ts";
import { realPathOf } from "../workspace-files/real-path.ts";
import { placeFile, removeFile, stageFile } from "../workspace-files/write-file.ts";
import { isCompressed, unpackedPath } from "./rollout-files.ts";
import { maxRolloutBytes, unpackBounded, unpackConfined } from "./unpack-bounded.ts";

/** A parsed line of a rollout, not yet validated. */
export interface RawLine {
  readonly timestamp?: unknown;
  readonly ordinal?: unknown;
  readonly type?: unknown;
  readonly payload?: unknown;
  readonly turnId?: unknown;
  readonly quire?: unknown;
}

const newline = 0x0a;

/** The whole of a file, and which file it was: a writer compares that with what it finds later. */
export interface RolloutBytes {
  readonly bytes: Buffer;
  readonly inode: number;
}

/** Reads a file. Throws the file system's error, also for a folder. */
export function readRollout(path: string, home: string): RolloutBytes {
  return runAtOnce(readingRollout(path, home));
}

/** The same in pieces. */
export function* readingRollout(path: string, home: string): Generator<undefined, RolloutBytes> {
  const { bytes, stats } = yield* readingPinned(path, home, maxRolloutBytes);
  return { bytes: isCompressed(path) ? unpack(bytes, path, home) : bytes, inode: stats.ino };
}

function unpack(bytes: Buffer, path: string, home: string): Buffer {
  return isWithin(realPathOf(path), realPathOf(home)) ? unpackBounded(bytes) : unpackConfined(bytes);
}

/** Unpacks a compressed rollout, in one step, and gives its new path. */
export function unpackRollout(path: string, home: string): string {
  const target = unpackedPath(path);
  const { bytes, stats } = runAtOnce(readingPinned(path, home, maxRolloutBytes));
  using folders = new PinnedFolders();
  const folder = realPathOf(dirname(path));
  const place = join(folder, basename(target));
  placeFile(stageFile(place, { bytes: unpack(bytes, path, home), mode: stats.mode & 0o777 }, folders), place, folders);
  removeFile(join(folder, basename(path)), folders);
  return target;
}

/** The end of a line that one of ours has beside it for Codex. */
const mark = Buffer.from(',"quire":true}');

/** Yields every line that is a JSON object; skips all else, including a torn last line. */
export function* parseLines(bytes: Buffer): Generator<RawLine> {
  for (const [start, end] of lineEnds(bytes)) {
    const line = parseLine(bytes, start, end);
    if (line) yield line;
  }
}

/** The same without the lines that are for Codex, half of all that we write: they are not even parsed. */
export function* parseOwnLines(bytes: Buffer): Generator<RawLine> {
  for (const [start, end] of lineEnds(bytes)) {
    const isForCodex = end - start > mark.length && bytes.compare(mark, 0, mark.length, end - mark.length, end) === 0;
    const line = isForCodex ? undefined : parseLine(bytes, start, end);
    if (line) yield line;
  }
}

/** The number of the last line that has one. */
export function lastOrdinal(bytes: Buffer): number | undefined {
  for (let end = bytes.length; end > 0; ) {
    const start = end === 1 ? 0 : bytes.lastIndexOf(newline, end - 2) + 1;
    const ordinal = parseLine(bytes, start, end)?.ordinal;
    if (typeof ordinal === "number") return ordinal;
    end = start;
  }
  return undefined;
}

function* lineEnds(bytes: Buffer): Generator<[start: number, end: number]> {
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(newline, start);
    const end = found === -1 ? bytes.length : found;
    yield [start, end];
    start = end + 1;
  }
}

/** The line between two offsets; `undefined` when it is no JSON object. */
export function parseLine(bytes: Buffer, start: number, end: number): RawLine | undefined {
  // 0x7b is "{": most of what is no line shows at its first byte.
  if (end - start < 2 || bytes[start] !== 0x7b) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8", start, end));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes a file end with a complete line before appending: a killed writer may have left half of one. A line that parses
 * gets its newline, any other is removed. Returns the new size. `fd` must be open for reading and writing.
 */
export function healTail(fd: number, size: number): number {
  if (size === 0) return 0;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  if (last[0] === newline) return size;
  const start = lastLineStart(fd, size);
  const tail = Buffer.alloc(size - start);
  readSync(fd, tail, 0, tail.length, start);
  if (parseLine(tail, 0, tail.length)) {
    writeSync(fd, "\n", size);
    return size + 1;
  }
  ftruncateSync(fd, start);
  return start;
}

function lastLineStart(fd: number, size: number): number {
  const chunk = Buffer.alloc(65_536);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const length = readSync(fd, chunk, 0, end - start, start);
    const found = chunk.subarray(0, length).lastIndexOf(newline);
    if (found !== -1) return start + found + 1;
    end = start;
  }
  return 0;
}

/** Writes all of it at the end of a file opened for appending, whatever the system takes at a time. Gives its size. */
export function writeFully(fd: number, text: string): number {
  const size = Buffer.byteLength(text);
  // Mostly all at once: only for what is left are bytes needed.
  let written = writeSync(fd, text);
  for (const bytes = written < size ? Buffer.from(text) : undefined; bytes && written < size; ) {
    written += writeSync(fd, bytes, written, size - written);
  }
  return size;
}
