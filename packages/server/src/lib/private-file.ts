import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
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

/** Rows by path, with the version of the file that held them: a pure cache, for files that turns look at. */
const lastRows = new Map<string, { readonly version: string; readonly rows: Table }>();

/** Homes of one process are few; those of tests are many. */
const maxFiles = 16;

/** {@link readRows} for rows that are no secret and that are read often: parses a file again only once it has changed. */
export function readRowsOnce(path: string): Table {
  const version = versionOf(path);
  const last = lastRows.get(path);
  if (last?.version === version) return last.rows;
  const rows = version === "" ? {} : readRows(path);
  if (lastRows.size >= maxFiles) lastRows.clear();
  lastRows.set(path, { version, rows });
  return rows;
}

function versionOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : "";
  } catch {
    // What cannot be looked at cannot be read.
    return "";
  }
}
