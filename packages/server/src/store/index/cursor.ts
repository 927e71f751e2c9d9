import { BadCursor } from "../thread-store.ts";

/** A place in a sorted list: between the row that it names and the one after it, in either direction. */
export interface Cursor {
  readonly ms: number;
  readonly id: string;
}

/** Makes a cursor. The id keeps rows of the same time apart. */
export function writeCursor(row: Cursor): string {
  return `${new Date(row.ms).toISOString()}_${row.id}`;
}

/** Reads a cursor. Throws {@link BadCursor} for anything that {@link writeCursor} did not make. */
export function readCursor(cursor: string): Cursor {
  const at = cursor.indexOf("_");
  const ms = Date.parse(cursor.slice(0, at));
  if (at === -1 || Number.isNaN(ms)) throw new BadCursor(cursor);
  return { ms, id: cursor.slice(at + 1) };
}
