import type { Database } from "bun:sqlite";
import type { ThreadRow } from "./rows.ts";

/** The text of a thread's messages, for the state of the file that it was read from. */
export interface ThreadText extends Pick<ThreadRow, "id" | "size" | "mtime"> {
  readonly body: string;
}

/** The words of a text are indexed in pieces of so many characters: one takes a millisecond or two. */
const pieceLength = 8192;
/** Characters that a piece shares with the next, so that each term lies within one. */
const overlap = 256;
/** Numbers that the pieces of a text have for themselves. The longest text that is kept has fewer. */
const numbers = 128;
/** Longest transaction. */
const togetherMs = 4;
/** Letters that are looked up at a time. */
const gram = 3;
/** Letters of a term that are looked up; a hit is compared with the whole of it. */
const maxLetters = 64;

/** Makes the tables. That of words is left out where SQLite is too old for it: searches take longer then. */
export function createTextTables(db: Database): void {
  db.run(
    "CREATE TABLE texts (n INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL, stamp TEXT NOT NULL, body TEXT)",
  );
  db.run("CREATE INDEX texts_by_thread ON texts (thread)");
  try {
    const options = "content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1'";
    db.run(`CREATE VIRTUAL TABLE words USING fts5 (body, ${options})`);
  } catch {
    // The system's own, on an older macOS.
  }
}

/** Names the state of a file, as texts have it. */
export const stampOf = ({ size, mtime }: Pick<ThreadRow, "size" | "mtime">): string => `${size}:${mtime}`;

/** The texts of threads, and an index of every three letters that they have side by side. */
export class ThreadTexts {
  readonly #db: Database;
  readonly #hasWords: boolean;

  constructor(db: Database) {
    this.#db = db;
    this.#hasWords = db.query("SELECT 1 FROM sqlite_master WHERE name = 'words'").get() !== null;
  }

  /** The text for that state of the file; `undefined` when it has changed since. */
  body(row: Omit<ThreadText, "body">): string | undefined {
    const sql = "SELECT body FROM texts WHERE thread = ? AND stamp = ?";
    return this.#db.query<{ body: string }, [string, string]>(sql).get(row.id, stampOf(row))?.body;
  }

  /**
   * Keeps texts. Until the last piece of one is indexed, its row has no stamp: one that a killed process has left like
   * that is no text, and goes with the next.
   */
  *keep(texts: readonly ThreadText[]): Generator<undefined, void> {
    const steps = this.#steps(texts);
    for (let isOver: boolean | undefined; !isOver; ) {
      // Many small ones in one transaction: one each takes twice the time.
      const work = () => {
        const until = performance.now() + togetherMs;
        do isOver = steps.next().done;
        while (!isOver && performance.now() < until);
      };
      this.#db.transaction(work).immediate();
      yield;
    }
  }

  drop(id: string): void {
    for (const n of this.#numbers(id)) this.#drop(n);
  }

  /**
   * The threads whose text may have a term, given in small letters. `undefined` when there are more than `most`, or
   * nothing to tell by.
   */
  matching(term: string, most: number): ReadonlySet<string> | undefined {
    const letters = [...term].slice(0, maxLetters);
    if (!this.#hasWords || letters.length < gram) return undefined;
    const grams = new Set(letters.slice(gram - 1).map((_, at) => letters.slice(at, at + gram).join("")));
    const query = [...grams].map((each) => `"${each.replaceAll('"', '""')}"`).join(" AND ");
    const sql = `SELECT thread FROM words JOIN texts ON texts.n = words.rowid / ${numbers} WHERE words MATCH ?`;
    const found = new Set<string>();
    for (const { thread } of this.#db.query<{ thread: string }, [string]>(sql).iterate(query)) {
      if (found.add(thread).size > most) return undefined;
    }
    return found;
  }

  *#steps(texts: readonly ThreadText[]): Generator<undefined, void> {
    for (const text of texts) {
      const n = this.#reserve(text.id);
      yield* this.#index(n, text.body);
      this.#finish(n, text);
      yield;
    }
  }

  #reserve(id: string): number {
    const sql = "INSERT INTO texts (thread, stamp) VALUES (?, '') RETURNING n";
    return this.#db.query<{ n: number }, [string]>(sql).get(id)?.n ?? 0;
  }

  #finish(n: number, text: ThreadText): void {
    for (const other of this.#numbers(text.id)) if (other !== n) this.#drop(other);
    const update = this.#db.query("UPDATE texts SET stamp = ?, body = ? WHERE n = ?");
    // Another process, or another search, was quicker.
    if (update.run(stampOf(text), text.body, n).changes === 0) {
      this.#drop(n);
      return;
    }
    this.#db
      .query("UPDATE threads SET searchable = 1 WHERE id = ? AND size = ? AND mtime = ?")
      .run(text.id, text.size, text.mtime);
  }

  *#index(n: number, body: string): Generator<undefined, void> {
    if (!this.#hasWords) return;
    for (let at = 0; at * pieceLength < body.length; at++) {
      const start = at * pieceLength;
      const piece = body.slice(start, start + pieceLength + overlap).toLowerCase();
      this.#db.query("INSERT INTO words (rowid, body) VALUES (?, ?)").run(n * numbers + at, piece);
      yield;
    }
  }

  #numbers(id: string): number[] {
    const rows = this.#db.query<{ n: number }, [string]>("SELECT n FROM texts WHERE thread = ?").all(id);
    return rows.map(({ n }) => n);
  }

  #drop(n: number): void {
    this.#db.query("DELETE FROM texts WHERE n = ?").run(n);
    const [from, to] = [n * numbers, (n + 1) * numbers - 1];
    if (this.#hasWords) this.#db.query("DELETE FROM words WHERE rowid BETWEEN ? AND ?").run(from, to);
  }
}
