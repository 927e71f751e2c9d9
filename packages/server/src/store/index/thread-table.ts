import type { Database } from "bun:sqlite";
import type { ThreadSummary } from "../thread-store.ts";
import type { Statement } from "./list-query.ts";
import { columns, type FileState, rowValues, summaryOfRow, type ThreadRow } from "./rows.ts";
import { ThreadTexts } from "./thread-texts.ts";

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
  readonly texts: ThreadTexts;

  constructor(db: Database) {
    this.#db = db;
    this.texts = new ThreadTexts(db);
  }

  /** Runs work in a transaction. */
  together(work: () => void): void {
    this.#db.transaction(work).immediate();
  }

  put(summary: ThreadSummary, file: FileState): void {
    const marks = columns.map(() => "?").join(", ");
    const searchable = this.texts.body({ ...file, id: summary.id }) === undefined ? 0 : 1;
    this.#db
      .query(`INSERT OR REPLACE INTO threads (${columns.join(", ")}, searchable) VALUES (${marks}, ?)`)
      .run(...rowValues(summary, file), searchable);
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
    this.texts.drop(id);
  }

  filesIn(folder: string): string[] {
    const rows = this.#db.query<{ path: string }, [string]>("SELECT path FROM threads WHERE folder = ?").values(folder);
    return rows.map(([path]) => String(path).slice(folder.length + 1));
  }

  removeFile(path: string): void {
    const sql = "DELETE FROM threads WHERE path = ? RETURNING id";
    for (const { id } of this.#db.query<{ id: string }, [string]>(sql).all(path)) this.texts.drop(id);
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

  /** Names after an id, ordered by id. */
  namesAfter(id: string, limit: number): { readonly id: string; readonly name: string }[] {
    const sql = "SELECT id, name FROM threads WHERE name IS NOT NULL AND id > ? ORDER BY id LIMIT ?";
    return this.#db.query<{ id: string; name: string }, [string, number]>(sql).all(id, limit);
  }
}
