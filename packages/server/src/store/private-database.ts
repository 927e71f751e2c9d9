import { Database } from "bun:sqlite";
import { chmodSync, closeSync, openSync, statSync } from "node:fs";

/** Opens or makes a database that only its owner may read, as rollouts are; SQLite gives its side files the same rights. */
export function openPrivateDatabase(path: string): Database {
  if (path !== ":memory:") makePrivate(path);
  return new Database(path, { create: true, readwrite: true });
}

function makePrivate(path: string): void {
  try {
    // Exclusive: closing a file that is open as a database would take its locks away from this whole process.
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") takeRightsAway(path);
    // SQLite reports any other problem in words that its callers know.
  }
}

function takeRightsAway(path: string): void {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch {
    // Another user shares it on purpose, or it is gone.
  }
}
