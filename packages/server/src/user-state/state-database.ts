import type { Database } from "bun:sqlite";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { openPrivateDatabase } from "../store/private-database.ts";

const fileName = "quire-state.sqlite";
const version = 1;

const schema = `
  CREATE TABLE read_states (thread TEXT PRIMARY KEY, first_unread TEXT, revision TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE goals (
    thread TEXT PRIMARY KEY,
    objective TEXT NOT NULL,
    status TEXT NOT NULL,
    budget INTEGER,
    tokens INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE queue (
    id TEXT PRIMARY KEY,
    thread TEXT NOT NULL,
    position INTEGER NOT NULL,
    client_id TEXT NOT NULL,
    input TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX queue_by_thread ON queue (thread, position);
  CREATE TABLE sections (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    appearance TEXT
  ) WITHOUT ROWID;
  CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    roots TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE TABLE places (
    thread TEXT PRIMARY KEY,
    section TEXT,
    position REAL,
    entered INTEGER,
    project TEXT
  ) WITHOUT ROWID;
  CREATE INDEX places_by_section ON places (section, position);
  CREATE INDEX places_by_project ON places (project);
  CREATE TABLE attachments (
    id TEXT PRIMARY KEY,
    thread TEXT NOT NULL,
    type TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    created INTEGER NOT NULL,
    UNIQUE (thread, type, key)
  ) WITHOUT ROWID;
  CREATE INDEX attachments_by_key ON attachments (type, key, thread);
  INSERT INTO sections (id, position, name) VALUES ('00000000-0000-7000-8000-000000000001', 0, 'Pinned');
  PRAGMA user_version = ${version};
`;

/** The path of a home's database. */
export const statePath = (home: string): string => join(home, fileName);

/**
 * Opens the user's state. Unlike the index it is no copy, so a broken file is set aside, not deleted, and `warn` names
 * its new path. Where the home cannot be written, it lives in memory. The caller closes it.
 */
export function openState(home: string, warn: (problem: string) => void): Database {
  const path = statePath(home);
  try {
    return openAt(path);
  } catch (error) {
    return (isBroken(error) ? openAnew(path, warn) : undefined) ?? openInMemory(path, warn, error);
  }
}

function openAnew(path: string, warn: (problem: string) => void): Database | undefined {
  const aside = `${path}.broken-${Date.now()}`;
  try {
    renameSync(path, aside);
    warn(`${path} is damaged; it was moved to ${aside}, and a new one was created`);
    return openAt(path);
  } catch {
    return undefined;
  }
}

function openInMemory(path: string, warn: (problem: string) => void, error: unknown): Database {
  const lost = "goals, queues, sections, projects and read marks last until the server ends";
  warn(`${path} cannot be used (${String(error)}); ${lost}`);
  return openAt(":memory:");
}

/** A locked file, or one of a later version, is not broken. */
function isBroken(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB");
}

function openAt(path: string): Database {
  const db = openPrivateDatabase(path);
  try {
    db.run("PRAGMA busy_timeout = 5000");
    // While it is made there is nothing in it to lose, and waiting for the disk would hold up the first turn.
    db.run("PRAGMA synchronous = OFF");
    db.run("PRAGMA journal_mode = WAL");
    db.transaction(() => {
      const found = db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version;
      if (found === version) return;
      if (found !== 0) throw new Error(`it has version ${found}; use the newer Quire that wrote it`);
      db.run(schema);
    }).immediate();
    // A killed server loses nothing by this, only a machine that loses its power may lose the last moment.
    db.run("PRAGMA synchronous = NORMAL");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
