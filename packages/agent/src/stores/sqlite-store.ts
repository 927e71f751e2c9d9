import { checkKey, newVersion, type Store, StoreConflictError } from "./store.ts";

/** The part of a SQLite database that a store needs: `bun:sqlite`, `node:sqlite` and `better-sqlite3` have it. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    all(...params: string[]): unknown[];
  };
}

/**
 * A store in a SQLite database that you open; several processes may share it. It makes a table `quire_store`.
 *
 * ```ts
 * const store = sqliteStore(new DatabaseSync("app.db")); // node:sqlite; new Database("app.db") of bun:sqlite
 * ```
 */
export function sqliteStore(database: SqliteDatabase): Store {
  database.exec("PRAGMA busy_timeout = 5000");
  database.exec(
    "CREATE TABLE IF NOT EXISTS quire_store (key TEXT PRIMARY KEY, text TEXT NOT NULL, version TEXT NOT NULL) STRICT",
  );
  const rows = (sql: string, ...params: string[]) => database.prepare(sql).all(...params) as Record<string, string>[];
  return {
    read: async (key) => {
      checkKey(key);
      const [row] = rows("SELECT text, version FROM quire_store WHERE key = ?", key);
      return row && { text: row.text ?? "", version: row.version ?? "" };
    },
    write: async (key, text, { expected } = {}) => {
      checkKey(key);
      const version = newVersion();
      const written = rows(...statement({ key, text, version, expected }));
      if (written.length === 0) throw new StoreConflictError(key);
      return version;
    },
    delete: async (key) => {
      checkKey(key);
      rows("DELETE FROM quire_store WHERE key = ? RETURNING key", key);
    },
    keys: async (prefix = "") => {
      const sql = "SELECT key FROM quire_store WHERE substr(key, 1, length(?1)) = ?1";
      return rows(sql, prefix)
        .map(({ key = "" }) => key)
        .sort();
    },
  };
}

/** A write, which returns a row if it took place. */
function statement(write: {
  readonly key: string;
  readonly text: string;
  readonly version: string;
  readonly expected: string | null | undefined;
}): [string, ...string[]] {
  const { key, text, version, expected } = write;
  if (typeof expected === "string")
    return [
      "UPDATE quire_store SET text = ?, version = ? WHERE key = ? AND version = ? RETURNING key",
      text,
      version,
      key,
      expected,
    ];
  const insert = "INSERT INTO quire_store (key, text, version) VALUES (?, ?, ?) ON CONFLICT (key)";
  const otherwise = expected === null ? "DO NOTHING" : "DO UPDATE SET text = excluded.text, version = excluded.version";
  return [`${insert} ${otherwise} RETURNING key`, key, text, version];
}
