import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { isTable, type Table } from "./table.ts";

/** Replaces a file atomically by one that only its owner can read. */
export function writePrivate(path: string, content: string): void {
  const temporary = `${path}.${crypto.randomUUID()}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // A umask only takes rights away; this is for file systems that ignore the mode of `open`.
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The rows of such a file; empty when it is missing or not JSON, so that the next write replaces it. */
export function readRows(path: string): Table {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isTable(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
