import type { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openPrivateDatabase } from "../private-database.ts";
import { createTextTables } from "./thread-texts.ts";

const fileName = "quire-index.sqlite";
/** Raised when tables or columns change: an index of another version is thrown away. */
const version = 3;

const schema = `
  CREATE TABLE threads (
    id TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    folder TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime REAL NOT NULL,
    archived INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    kind TEXT NOT NULL,
    parent TEXT,
    provider TEXT NOT NULL,
    originator TEXT NOT NULL,
    cwd TEXT NOT NULL,
    name TEXT,
    preview TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    rest TEXT NOT NULL,
    searchable INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX by_created ON threads (archived, listed, created, id);
  CREATE INDEX by_updated ON threads (archived, listed, updated, id);
  CREATE INDEX archived_by_created ON threads (created, id) WHERE archived = 1;
  CREATE INDEX archived_by_updated ON threads (updated, id) WHERE archived = 1;
  CREATE INDEX by_parent ON threads (parent);
  CREATE INDEX by_folder ON threads (folder, path);
  CREATE INDEX by_path ON threads (path);
  CREATE INDEX by_name ON threads (id, name) WHERE name IS NOT NULL;
  CREATE INDEX unread ON threads (archived, listed, kind, id) WHERE searchable = 0;
  CREATE TABLE folders (path TEXT PRIMARY KEY, mtime REAL NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${version};
`;

/** Opens the index of a home, in memory if need be. An unusable one is made anew. The caller closes it. */
export function openDatabase(home: string): Database {
  const path = join(home, fileName);
  for (const attempt of [1, 2]) {
    try {
      return openAt(path);
    } catch (error) {
      // A neighbour that is busy with it for long is no reason to take its index away.
      if (isBusy(error) || attempt === 2) break;
      removeDatabase(home);
    }
  }
  return openInMemory();
}

/** A private index that ends with this process. */
export function openInMemory(): Database {
  return openAt(":memory:");
}

/** True when it failed because another process holds the index. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED");
}

/** Deletes the index; the next open makes it anew. */
export function removeDatabase(home: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) {
    try {
      rmSync(join(home, fileName + suffix), { force: true, recursive: true });
    } catch {
      // A home that cannot be written: the index lives in memory.
    }
  }
}

function openAt(path: string): Database {
  const db = openPrivateDatabase(path);
  try {
    // Nothing else runs meanwhile; neighbours are done within milliseconds unless they are stopped.
    db.run("PRAGMA busy_timeout = 1000");
    db.run("PRAGMA journal_mode = WAL");
    db.run("PRAGMA synchronous = NORMAL");
    // Another process may make the tables at the same time; the second one finds them.
    db.transaction(() => {
      const found = db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version;
      if (found === version) return;
      if (found !== 0) throw new Error(`the index has version ${found}`);
      db.run(schema);
      createTextTables(db);
    }).immediate();
    // Fails here rather than later when a page of the tables is broken.
    db.query("SELECT count(*) FROM threads WHERE listed = 1").get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
