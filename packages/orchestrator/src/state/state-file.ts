import { Database } from "bun:sqlite";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { LockedError } from "./state-errors.ts";

/** Time that a predecessor may need to shut down and release the file. */
const lockWaitMs = 2000;

const schema = [
  "CREATE TABLE IF NOT EXISTS claims (issue_id TEXT PRIMARY KEY, claim TEXT NOT NULL) STRICT",
  "CREATE TABLE IF NOT EXISTS finished (issue_id TEXT PRIMARY KEY, at INTEGER NOT NULL, entry TEXT NOT NULL) STRICT",
  "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
  "CREATE TABLE IF NOT EXISTS timeline (seq INTEGER PRIMARY KEY, issue_id TEXT NOT NULL, entry TEXT NOT NULL) STRICT",
  "CREATE TABLE IF NOT EXISTS deliveries (issue_id TEXT PRIMARY KEY, is_open INTEGER NOT NULL, entry TEXT NOT NULL) STRICT",
  "CREATE INDEX IF NOT EXISTS timeline_of_issue ON timeline (issue_id, seq)",
  "CREATE INDEX IF NOT EXISTS finished_by_age ON finished (at)",
  "CREATE INDEX IF NOT EXISTS finished_by_name ON finished (json_extract(entry, '$.identifier'))",
];

/**
 * Opens the file in which the state outlives its orchestrator, or makes it. Whoever has it open holds it alone: the lock
 * is the system's own and ends with the process, however it ends. Throws a {@link LockedError}.
 *
 * @param path `:memory:` for one that is not kept.
 */
export function openStateFile(path: string): Database {
  const db = open(path);
  try {
    db.run(`PRAGMA busy_timeout = ${lockWaitMs}`);
    db.run("PRAGMA locking_mode = EXCLUSIVE");
    db.run("PRAGMA journal_mode = WAL");
    db.run("PRAGMA synchronous = NORMAL");
    for (const statement of schema) db.run(statement);
    // A write, so that the lock is taken now and not with the first run.
    db.run("PRAGMA user_version = 1");
    return db;
  } catch (error) {
    db.close();
    if ((error as { code?: string }).code?.startsWith("SQLITE_BUSY")) {
      throw new LockedError(`Another orchestrator is running this workflow (${path} is locked): stop it first`);
    }
    throw error;
  }
}

function open(path: string): Database {
  try {
    if (path !== ":memory:") {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // It holds issues and what agents said: for its owner alone, and so are the files that SQLite makes beside it.
      closeSync(openSync(path, "a", 0o600));
    }
    return new Database(path, { create: true, strict: true });
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${path} cannot be opened (${message}): set QUIRE_HOME to a writable folder`, {
      cause: error,
    });
  }
}
