import type { Database } from "bun:sqlite";
import type { ThreadSummary } from "../thread-store.ts";
import type { Statement } from "./list-query.ts";
import { columns, type FileState, rowValues, summaryOfRow, type ThreadRow } from "./rows.ts";

/** A row's place on disk. */
export interface RowFile {
  readonly id: string;
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
}

/** The tables of the index, in terms of threads. */
export class ThreadTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Runs work in a transaction. */
  together(work: () => void): void {
    this.#db.transaction(work).immediate();
  }

  put(summary: ThreadSummary, file: FileState): void {
    const marks = columns.map(() => "?").join(", ");
    this.#db
      .query(`INSERT OR REPLACE INTO threads (${columns.join(", ")}) VALUES (${marks})`)
      .run(...rowValues(summary, file));
  }

  rows(statement: Statement): ThreadRow[] {
    return this.#db.query<ThreadRow, (string | number)[]>(statement.sql).all(...statement.values);
  }

  /** Rows one after the other: their texts need not be in memory together. Nothing may be written in between. */
  each<Row>(statement: Statement): IterableIterator<Row> {
    return this.#db.query<Row, (string | number)[]>(statement.sql).iterate(...statement.values);
  }

  row(id: string): ThreadRow | undefined {
    return this.#db.query<ThreadRow, [string]>("SELECT * FROM threads WHERE id = ?").get(id) ?? undefined;
  }

  get(id: string): ThreadSummary | undefined {
    const row = this.row(id);
    return row ? summaryOfRow(row) : undefined;
  }

  fileOf(id: string): RowFile | undefined {
    return (
      this.#db.query<RowFile, [string]>("SELECT id, path, size, mtime FROM threads WHERE id = ?").get(id) ?? undefined
    );
  }

  remove(id: string): void {
    this.#db.query("DELETE FROM threads WHERE id = ?").run(id);
    this.#db.query("DELETE FROM texts WHERE id = ?").run(id);
  }

  filesIn(folder: string): string[] {
    const rows = this.#db.query<{ path: string }, [string]>("SELECT path FROM threads WHERE folder = ?").values(folder);
    return rows.map(([path]) => String(path).slice(folder.length + 1));
  }

  removeFile(path: string): void {
    this.#db.query("DELETE FROM texts WHERE id IN (SELECT id FROM threads WHERE path = ?)").run(path);
    this.#db.query("DELETE FROM threads WHERE path = ?").run(path);
  }

  /** Threads without messages, which lists leave out; the newest, since most have just begun. */
  silent(limit: number): RowFile[] {
    const sql =
      "SELECT id, path, size, mtime FROM threads WHERE archived = 0 AND listed = 0 ORDER BY created DESC LIMIT ?";
    return this.#db.query<RowFile, [number]>(sql).all(limit);
  }

  /** The threads that were used last. */
  recent(limit: number): RowFile[] {
    const sql =
      "SELECT id, path, size, mtime FROM threads WHERE archived = 0 AND listed = 1 ORDER BY updated DESC LIMIT ?";
    return this.#db.query<RowFile, [number]>(sql).all(limit);
  }

  /** Rows after an id, ordered by id, for looking through all of them in steps. */
  filesAfter(id: string, limit: number): RowFile[] {
    const sql = "SELECT id, path, size, mtime FROM threads WHERE id > ? ORDER BY id LIMIT ?";
    return this.#db.query<RowFile, [string, number]>(sql).all(id, limit);
  }

  folders(): Map<string, number> {
    const rows = this.#db.query<{ path: string; mtime: number }, []>("SELECT path, mtime FROM folders").all();
    return new Map(rows.map((row) => [row.path, row.mtime]));
  }

  putFolder(path: string, mtime: number): void {
    this.#db.query("INSERT OR REPLACE INTO folders (path, mtime) VALUES (?, ?)").run(path, mtime);
  }

  removeFolder(path: string): void {
    this.#db.query("DELETE FROM folders WHERE path = ?").run(path);
    this.#db.query("DELETE FROM threads WHERE folder = ?").run(path);
  }

  names(): Map<string, string> {
    const sql = "SELECT id, name FROM threads WHERE name IS NOT NULL";
    const rows = this.#db.query<{ id: string; name: string }, []>(sql).all();
    return new Map(rows.map((row) => [row.id, row.name]));
  }

  rename(id: string, name: string | null): void {
    this.#db.query("UPDATE threads SET name = ? WHERE id = ?").run(name, id);
  }

  /** A thread's text for the file state `stamp`; `undefined` when it has changed since. */
  body(id: string, stamp: string): string | undefined {
    const sql = "SELECT body FROM texts WHERE id = ? AND stamp = ?";
    return this.#db.query<{ body: string }, [string, string]>(sql).get(id, stamp)?.body;
  }

  putBody(id: string, stamp: string, body: string): void {
    this.#db.query("INSERT OR REPLACE INTO texts (id, stamp, body) VALUES (?, ?, ?)").run(id, stamp, body);
  }
}
