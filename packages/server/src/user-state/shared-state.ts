import type { Database as LocalDatabase, Statement } from "bun:sqlite";
import type { SQL } from "bun";
import type { Log } from "../lib/log.ts";
import type { Database } from "../shared-store/database.ts";

/** The tables that are shared, with the column that tells their rows apart. */
const keys: ReadonlyMap<string, string> = new Map([
  ["read_states", "thread"],
  ["goals", "thread"],
  ["queue", "id"],
  ["sections", "id"],
  ["projects", "id"],
  ["places", "thread"],
  ["attachments", "id"],
]);

/** The name under which servers hear that rows have changed. */
const channel = "quire_state";
/** Looks without having heard of anything: a connection may have been lost. */
const lookMs = 5000;
/** Pause before rows are sent again. */
const retryMs = 200;
/** Any number that no other program is likely to use: rows are sent by one server at a time. */
const advisoryLock = 7_314_160;

/** A row by its table and key; `null` for one that was deleted. */
interface SharedRow {
  readonly kind: string;
  readonly key: string;
  readonly row: string | null;
}

interface VersionedRow extends SharedRow {
  readonly version: number;
}

interface Change {
  readonly n: number;
  readonly kind: string;
  readonly key: string;
}

/** Options of a {@link SharedState}. */
export interface SharedStateOptions {
  readonly local: LocalDatabase;
  readonly database: Database;
  readonly log: Log;
}

/**
 * Keeps a user's state the same on all servers of a database. Each works on a copy; triggers note the rows that change,
 * and they are sent. Of two servers that change a row at once, the later one wins.
 */
export class SharedState {
  readonly #local: LocalDatabase;
  readonly #database: Database;
  readonly #log: Log;
  /** Asked before each message of a server. */
  readonly #any: Statement;
  #pushing: Promise<void> | undefined;
  #pulling: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #listening: { unlisten(): Promise<void> } | undefined;
  #closed = false;

  constructor({ local, database, log }: SharedStateOptions) {
    this.#local = local;
    this.#database = database;
    this.#log = log;
    prepare(local);
    this.#any = local.query("SELECT 1 FROM shared_changes LIMIT 1");
    this.#timer = setInterval(() => void this.pull().catch(() => undefined), lookMs);
    this.#timer.unref();
    void this.pull().catch(() => undefined);
    void this.#listen();
  }

  /** A promise while rows that were changed here are not stored; call it right after changing them. */
  stored(): Promise<void> | undefined {
    if (this.#pushing === undefined && this.#any.get() === null) return undefined;
    this.#pushing ??= this.#push().finally(() => {
      this.#pushing = undefined;
    });
    return this.#pushing;
  }

  /** Takes over what other servers have changed. */
  pull(): Promise<void> {
    this.#pulling ??= this.#pull().finally(() => {
      this.#pulling = undefined;
    });
    return this.#pulling;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.stored();
    this.#closed = true;
    await this.#pulling?.catch(() => undefined);
    await this.#listening?.unlisten().catch(() => undefined);
  }

  async #listen(): Promise<void> {
    try {
      await this.#database.use("listen for changes", async (sql) => {
        const listening = await sql.listen(channel, () => void this.pull().catch(() => undefined));
        if (this.#closed) await listening.unlisten();
        else this.#listening = listening;
      });
    } catch (error) {
      this.#log.warn("changes of other servers to goals, queues and projects are seen every few seconds only", error);
    }
  }

  /** Sends rows until there are none left. Never rejects: what cannot be sent stays noted. */
  async #push(): Promise<void> {
    for (let changes = this.#changes(); changes.length > 0 && !this.#closed; changes = this.#changes()) {
      try {
        const rows = changes.map(({ kind, key }) => ({ kind, key, row: this.#rowOf(kind, key) }));
        await this.#database.use("store the user's state", (sql) => send(sql, rows));
        const done = this.#local.query("DELETE FROM shared_changes WHERE kind = ? AND key = ? AND n <= ?");
        this.#local.transaction(() => {
          for (const { kind, key, n } of changes) done.run(kind, key, n);
        })();
      } catch (error) {
        this.#log.warn("goals, queues, projects and read marks wait for the database", error);
        await Bun.sleep(retryMs);
      }
    }
  }

  async #pull(): Promise<void> {
    const seen = this.#local.query<{ version: number }, []>("SELECT version FROM shared_seen").get()?.version ?? 0;
    const rows = await this.#database.use(
      "read the user's state",
      (sql) => sql<VersionedRow[]>`
        SELECT kind, key, row, version::float8 AS version FROM state_rows WHERE version > ${seen} ORDER BY version`,
    );
    if (rows.length === 0 || this.#closed) return;
    this.#local.transaction(() => {
      this.#local.run("UPDATE shared_seen SET version = ?, applying = 1", [rows.at(-1)?.version ?? seen]);
      for (const row of rows) this.#apply(row);
      this.#local.run("UPDATE shared_seen SET applying = 0");
    })();
  }

  #apply({ kind, key, row }: SharedRow): void {
    const column = keys.get(kind);
    if (column === undefined) return;
    // A change of ours that is still to be sent is the later one.
    const isOurs = this.#local.query("SELECT 1 FROM shared_changes WHERE kind = ? AND key = ?").get(kind, key) !== null;
    if (isOurs) return;
    if (row === null) {
      this.#local.query(`DELETE FROM ${kind} WHERE ${column} = ?`).run(key);
      return;
    }
    const known = new Set(
      this.#local
        .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${kind}')`)
        .all()
        .map(({ name }) => name),
    );
    const fields = Object.entries(JSON.parse(row) as Record<string, string | number | null>).filter(([name]) =>
      known.has(name),
    );
    const names = fields.map(([name]) => `"${name}"`).join(", ");
    const marks = fields.map(() => "?").join(", ");
    this.#local
      .query(`INSERT OR REPLACE INTO ${kind} (${names}) VALUES (${marks})`)
      .run(...fields.map(([, value]) => value));
  }

  #changes(): Change[] {
    return this.#local
      .query<Change, []>("SELECT max(n) AS n, kind, key FROM shared_changes GROUP BY kind, key ORDER BY n")
      .all();
  }

  #rowOf(kind: string, key: string): string | null {
    const row = this.#local.query(`SELECT * FROM ${kind} WHERE ${keys.get(kind)} = ?`).get(key);
    return row === null ? null : JSON.stringify(row);
  }
}

async function send(sql: SQL, rows: readonly SharedRow[]): Promise<void> {
  await sql.begin(async (transaction) => {
    // Versions must become visible in their order: who reads up to one must have all before it.
    await transaction`SELECT pg_advisory_xact_lock(${advisoryLock})`;
    await transaction`
      INSERT INTO state_rows (kind, key, row, version)
      SELECT kind, key, row, nextval('state_version')
      FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS given (kind TEXT, key TEXT, row TEXT)
      ON CONFLICT (kind, key) DO UPDATE SET row = excluded.row, version = excluded.version`;
    await transaction`SELECT pg_notify(${channel}, '')`;
  });
}

/** Makes the tables of changes and the triggers that fill them. */
function prepare(local: LocalDatabase): void {
  local.transaction(() => {
    local.run(
      "CREATE TABLE IF NOT EXISTS shared_changes (n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, key TEXT NOT NULL)",
    );
    local.run("CREATE TABLE IF NOT EXISTS shared_seen (version INTEGER NOT NULL, applying INTEGER NOT NULL)");
    local.run("INSERT INTO shared_seen SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM shared_seen)");
    local.run("UPDATE shared_seen SET applying = 0");
    for (const [kind, column] of keys) {
      for (const [event, row] of [
        ["INSERT", "NEW"],
        ["UPDATE", "NEW"],
        ["DELETE", "OLD"],
      ] as const) {
        local.run(`
          CREATE TRIGGER IF NOT EXISTS shared_${kind}_${event} AFTER ${event} ON ${kind}
          WHEN (SELECT applying FROM shared_seen) = 0
          BEGIN INSERT INTO shared_changes (kind, key) VALUES ('${kind}', ${row}.${column}); END`);
      }
    }
  })();
}
