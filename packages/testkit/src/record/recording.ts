import { readFile } from "node:fs/promises";

/** Sender of a message. */
export type Side = "client" | "server";

/** A recorded message. */
export interface RecordingEntry {
  /** Milliseconds since the recording began. */
  readonly at: number;
  readonly from: Side;
  /** The message itself, which may be no JSON at all. */
  readonly text: string;
}

/** Messages of one connection, in order. */
export type Recording = readonly RecordingEntry[];

/** Encodes a line of a recording file. */
export function encodeEntry(entry: RecordingEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/**
 * Reads a recording file. A last line that was torn when the writer died is left out; a broken line anywhere else is an error.
 */
export async function loadRecording(file: string): Promise<RecordingEntry[]> {
  const lines = (await readFile(file, "utf8")).split("\n");
  const torn = lines.pop();
  const entries = lines.map((line, index) => {
    const entry = parseEntry(line);
    if (!entry) throw new Error(`${file}:${index + 1} is no entry of a recording: ${line.slice(0, 100)}`);
    return entry;
  });
  // A whole entry whose newline alone is missing counts.
  const last = torn ? parseEntry(torn) : undefined;
  return last ? [...entries, last] : entries;
}

function parseEntry(line: string): RecordingEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is RecordingEntry {
  if (typeof value !== "object" || value === null) return false;
  const { at, from, text } = value as Partial<Record<keyof RecordingEntry, unknown>>;
  return typeof at === "number" && (from === "client" || from === "server") && typeof text === "string";
}
