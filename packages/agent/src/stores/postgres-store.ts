import { checkKey, newVersion, type Store, StoreConflictError } from "./store.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /**
   * Runs a statement with `$1`, `$2` … and returns its rows, bare or as `{ rows }`: `(sql, params) => pool.query(sql, params)`
   * with `pg`, `(sql, params) => sql.unsafe(sql, params)` with Bun's.
   */
  query(sql: string, params: string[]): Promise<Rows | { readonly rows: Rows }>;
  /** The table, which is made if it is missing. Default `quire_store`. */
  readonly table?: string | undefined;
}

/** Codes of PostgreSQL for a table that somebody else made at the same moment. */
const madeMeanwhile: readonly unknown[] = ["23505", "42710", "42P07"];

/** A store in a PostgreSQL database, for many processes. You bring the connection; nothing is installed for it. */
export function postgresStore({ query, table = "quire_store" }: PostgresStoreOptions): Store {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(table))
    throw new TypeError(`A table has a name of lower-case letters, digits and "_", not ${JSON.stringify(table)}`);
  const run = async (sql: string, ...params: string[]): Promise<Rows> => {
    const result = await query(sql, params);
    return "rows" in result ? result.rows : result;
  };
  let made: Promise<void> | undefined;
  const rows = async (sql: string, ...params: string[]): Promise<Rows> => {
    made ??= makeTable(run, table).catch((error: unknown) => {
      // The next call tries again: the database may have been away.
      made = undefined;
      throw error;
    });
    await made;
    return run(sql, ...params);
  };
  return {
    read: async (key) => {
      checkKey(key);
      const [row] = await rows(`SELECT text, version FROM ${table} WHERE key = $1`, key);
      return row && { text: String(row.text), version: String(row.version) };
    },
    write: async (key, text, { expected } = {}) => {
      checkKey(key);
      const version = newVersion();
      const [sql, ...params] = statement(table, { key, text, version, expected });
      if ((await rows(sql, ...params)).length === 0) throw new StoreConflictError(key);
      return version;
    },
    delete: async (key) => {
      checkKey(key);
      await rows(`DELETE FROM ${table} WHERE key = $1`, key);
    },
    keys: async (prefix = "") => {
      const found = await rows(`SELECT key FROM ${table} WHERE starts_with(key, $1)`, prefix);
      return found.map(({ key }) => String(key)).sort();
    },
  };
}

async function makeTable(run: (sql: string) => Promise<Rows>, table: string): Promise<void> {
  try {
    await run(`CREATE TABLE IF NOT EXISTS ${table} (key TEXT PRIMARY KEY, text TEXT NOT NULL, version TEXT NOT NULL)`);
  } catch (error) {
    const { code, errno } = error as { readonly code?: unknown; readonly errno?: unknown };
    if (!madeMeanwhile.includes(code) && !madeMeanwhile.includes(errno)) throw error;
  }
}

/** A write, which returns a row if it took place. */
function statement(
  table: string,
  write: {
    readonly key: string;
    readonly text: string;
    readonly version: string;
    readonly expected: string | null | undefined;
  },
): [string, ...string[]] {
  const { key, text, version, expected } = write;
  if (typeof expected === "string") {
    const sql = `UPDATE ${table} SET text = $1, version = $2 WHERE key = $3 AND version = $4 RETURNING key`;
    return [sql, text, version, key, expected];
  }
  const insert = `INSERT INTO ${table} (key, text, version) VALUES ($1, $2, $3) ON CONFLICT (key)`;
  const otherwise = expected === null ? "DO NOTHING" : "DO UPDATE SET text = excluded.text, version = excluded.version";
  return [`${insert} ${otherwise} RETURNING key`, key, text, version];
}
