import type { Database } from "bun:sqlite";
import type { QueuedSubmission, UserInput } from "@quire/protocol";

interface Row {
  readonly id: string;
  readonly client_id: string;
  readonly input: string;
}

type Metadata = NonNullable<QueuedSubmission["responsesapiClientMetadata"]>;

/** A message to keep. */
export interface QueuedMessage {
  readonly input: readonly UserInput[];
  /** Goes with the requests to the model. */
  readonly metadata: Metadata | null | undefined;
}

/** Most messages that wait on one thread. */
export const maxQueued = 1000;

/** Messages for busy threads, in the order in which they are answered. */
export class Queue {
  readonly #db: Database;
  /** Messages whose turn has begun, kept in the table until their thread has stored them. */
  readonly #begun = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  list(threadId: string): QueuedSubmission[] {
    const sql = "SELECT id, client_id, input FROM queue WHERE thread = ? ORDER BY position";
    const rows = this.#db.query<Row, [string]>(sql).all(threadId);
    return rows.filter(({ id }) => !this.#begun.has(id)).map(submissionOf);
  }

  add(threadId: string, clientId: string, message: QueuedMessage): QueuedSubmission {
    const row = { id: Bun.randomUUIDv7(), client_id: clientId, input: storedMessage(message) };
    const position = "(SELECT coalesce(max(position), 0) + 1 FROM queue WHERE thread = ?2)";
    this.#db
      .query(`INSERT INTO queue (id, thread, position, client_id, input) VALUES (?1, ?2, ${position}, ?3, ?4)`)
      .run(row.id, threadId, row.client_id, row.input);
    return submissionOf(row);
  }

  /** `undefined` for an unknown id. Metadata that is left out stays. */
  update(threadId: string, id: string, message: QueuedMessage): QueuedSubmission | undefined {
    const known = this.list(threadId).find((queued) => queued.id === id);
    if (!known) return undefined;
    const metadata = message.metadata === undefined ? known.responsesapiClientMetadata : message.metadata;
    this.#db.query("UPDATE queue SET input = ? WHERE id = ?").run(storedMessage({ ...message, metadata }), id);
    return this.list(threadId).find((queued) => queued.id === id);
  }

  /** False for an unknown id. */
  delete(threadId: string, id: string): boolean {
    if (this.#begun.has(id)) return false;
    return this.#db.query("DELETE FROM queue WHERE thread = ? AND id = ?").run(threadId, id).changes > 0;
  }

  /** False unless each message is named exactly once. */
  reorder(threadId: string, ids: readonly string[]): boolean {
    const known = new Set(this.list(threadId).map(({ id }) => id));
    if (ids.length !== known.size || new Set(ids).size !== ids.length || ids.some((id) => !known.has(id))) return false;
    const statement = this.#db.query("UPDATE queue SET position = ? WHERE id = ?");
    this.#db.transaction(() => ids.forEach((id, index) => void statement.run(index + 1, id))).immediate();
    return true;
  }

  /** The message's turn begins: it is no longer listed. */
  begin(id: string): void {
    this.#begun.add(id);
  }

  /** Its turn did not start after all. */
  giveBack(id: string): void {
    this.#begun.delete(id);
  }

  /** The thread has stored it. */
  taken(id: string): void {
    this.#db.query("DELETE FROM queue WHERE id = ?").run(id);
    this.#begun.delete(id);
  }
}

/** The input alone where there is nothing else, as in every row of earlier versions. */
function storedMessage({ input, metadata }: QueuedMessage): string {
  return JSON.stringify(metadata ? { input, metadata } : input);
}

function submissionOf({ id, client_id, input: stored }: Row): QueuedSubmission {
  const read = JSON.parse(stored) as UserInput[] | { readonly input: UserInput[]; readonly metadata: Metadata };
  const { input, metadata } = Array.isArray(read) ? { input: read, metadata: null } : read;
  return { id, input, clientUserMessageId: client_id, responsesapiClientMetadata: metadata };
}
