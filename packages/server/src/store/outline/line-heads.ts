import { parseLine, type RawLine } from "../rollout-bytes.ts";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const brace = 0x7b;

/** The end of a line. */
export const newline = 0x0a;

/** Lines between which others are let in: looking at the clock costs more than a line. */
export const stretch = 256;

/** Every line begins `{"timestamp":"2026-01-01T00:00:00.000Z",` and mostly goes on `"ordinal":7,`. */
const timeEnd = 37;
const ordinalLength = 10;
const maxDigits = 16;

/**
 * True when these bytes stand there. In a loop, since most differ in their first; a call of the runtime costs more.
 */
export function standsAt(bytes: Buffer, at: number, expected: Uint8Array): boolean {
  for (let n = 0; n < expected.length; n++) if (bytes[at + n] !== expected[n]) return false;
  return true;
}

/** The offset behind a line's time and number; -1 when it does not begin as all do. Few bytes tell. */
export function afterNumber(bytes: Buffer, start: number): number {
  const time = start + timeEnd;
  if (bytes[start] !== brace || bytes[start + 2] !== 0x74 || bytes[start + 14] === quote) return -1;
  if (bytes[time] !== 0x5a || bytes[time + 1] !== quote || bytes[time + 2] !== comma) return -1;
  const next = time + 3;
  if (bytes[next + 1] !== 0x6f) return next;
  for (let at = next + ordinalLength, end = at + maxDigits; at < end; at++) if (bytes[at] === comma) return at + 1;
  return -1;
}

/** The end of the string that begins there; -1 when it has an escape or goes beyond its line. */
export function stringEnd(bytes: Buffer, from: number, lineEnd: number): number {
  for (let at = from; at < lineEnd; at++) {
    if (bytes[at] === quote) return at;
    if (bytes[at] === backslash) return -1;
  }
  return -1;
}

/** Throws for a line that does not begin as they do. Half a line is passed over, as when all is read. */
export function checkStrange(bytes: Buffer, from: number, end: number): void {
  const line = parseLine(bytes, from, end);
  if (line && line.quire !== true) throw new Unsure("a line of unknown kind");
}

/** A file that an outline cannot tell the turns of: the whole is read instead. */
export class Unsure extends Error {
  override readonly name = "Unsure";
}

/** A place in a file, of one line or several. */
export interface Span {
  readonly from: number;
  /** Behind the last line's newline. */
  to: number;
}

/** Yields the lines in some places, each once and in their order. */
export function* linesIn(bytes: Buffer, spans: readonly Span[]): Generator<RawLine> {
  let at = 0;
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    for (at = Math.max(at, span.from); at < span.to; ) {
      const found = bytes.indexOf(newline, at);
      const end = found === -1 ? bytes.length : found;
      const line = parseLine(bytes, at, end);
      if (line) yield line;
      at = end + 1;
    }
  }
}
