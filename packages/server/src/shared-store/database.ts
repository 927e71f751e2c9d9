import { SQL } from "bun";
import { ClientFault, ServerFault } from "../lib/faults.ts";
import { migrate } from "./schema.ts";

/** Connections of a server: appends use one, and a long search must not hold them up. */
const maxConnections = 4;
const connectSeconds = 10;

/** The database could not be reached or used. */
class DatabaseFault extends ServerFault {
  override readonly name = "DatabaseFault";

  /** @param doing The failed action, after "cannot". */
  constructor(doing: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`cannot ${doing}: ${reason}; check that the database of [store] runs and can be reached`, { cause });
  }
}

/** A database, opened when it is first used and again when that failed. */
export class Database {
  readonly #url: string;
  #opened: Promise<SQL> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Runs work on it. Throws a `DatabaseFault`, but for faults of the work itself. */
  async use<T>(doing: string, work: (sql: SQL) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#open());
    } catch (error) {
      throw isFault(error) ? error : new DatabaseFault(doing, error);
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.then(
      (sql) => sql.end({ timeout: 1 }),
      () => undefined,
    );
  }

  #open(): Promise<SQL> {
    this.#opened ??= open(this.#url).catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

async function open(url: string): Promise<SQL> {
  const sql = new SQL(url, { max: maxConnections, connectionTimeout: connectSeconds });
  try {
    await migrate(sql);
    return sql;
  } catch (error) {
    await sql.end({ timeout: 0 }).catch(() => undefined);
    throw error;
  }
}

const isFault = (error: unknown): boolean => error instanceof ServerFault || error instanceof ClientFault;
