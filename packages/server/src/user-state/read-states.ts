import type { Database } from "bun:sqlite";
import type { ThreadReadState } from "@quire/protocol";

interface Row {
  readonly thread: string;
  readonly first_unread: string | null;
  readonly revision: string;
}

/** The default: read. */
export const initialState = (threadId: string): ThreadReadState => ({
  firstUnread: null,
  revision: `initial:${threadId}`,
});

/** From where on the user has not read a thread. */
export class ReadStates {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(threadId: string): ThreadReadState {
    const row = this.#db.query<Row, [string]>("SELECT * FROM read_states WHERE thread = ?").get(threadId);
    return row ? stateOf(row) : initialState(threadId);
  }

  of(threadIds: readonly string[]): { [threadId: string]: ThreadReadState } {
    const sql = "SELECT * FROM read_states WHERE thread IN (SELECT value FROM json_each(?))";
    const rows = this.#db.query<Row, [string]>(sql).all(JSON.stringify(threadIds));
    return Object.fromEntries([
      ...threadIds.map((id) => [id, initialState(id)]),
      ...rows.map((row) => [row.thread, stateOf(row)]),
    ]);
  }

  /** Sets the first unread point and raises the revision. */
  put(threadId: string, firstUnread: ThreadReadState["firstUnread"]): ThreadReadState {
    const revision = crypto.randomUUID();
    this.#db
      .query("INSERT OR REPLACE INTO read_states (thread, first_unread, revision) VALUES (?, ?, ?)")
      .run(threadId, firstUnread ? JSON.stringify(firstUnread) : null, revision);
    return { firstUnread: firstUnread ?? null, revision };
  }

  /** Marks a turn's end as unread. An earlier unread point stays. */
  ended(threadId: string, turnId: string): ThreadReadState {
    const sql = `INSERT INTO read_states (thread, first_unread, revision) VALUES (?, ?, ?) ON CONFLICT (thread)
      DO UPDATE SET first_unread = coalesce(first_unread, excluded.first_unread), revision = excluded.revision
      RETURNING *`;
    const first = JSON.stringify({ type: "turn", turnId });
    return stateOf(this.#db.query<Row, [string, string, string]>(sql).get(threadId, first, crypto.randomUUID()) as Row);
  }
}

function stateOf(row: Row): ThreadReadState {
  const firstUnread =
    row.first_unread === null ? null : (JSON.parse(row.first_unread) as ThreadReadState["firstUnread"]);
  return { firstUnread: firstUnread ?? null, revision: row.revision };
}
