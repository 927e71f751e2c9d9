import type { Database } from "bun:sqlite";
import type { ThreadAttachment } from "@quire/protocol";
import { toSeconds } from "../lib/seconds.ts";

interface Row {
  readonly id: string;
  readonly thread: string;
  readonly type: string;
  readonly key: string;
  readonly payload: string;
  readonly created: number;
}

/** Attachments of threads, such as pull requests, by type and key. */
export class Attachments {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(threadId: string): ThreadAttachment[] {
    const sql = "SELECT * FROM attachments WHERE thread = ? ORDER BY id";
    return this.#db.query<Row, [string]>(sql).all(threadId).map(attachmentOf);
  }

  get(threadId: string, type: string, key: string): ThreadAttachment | undefined {
    const sql = "SELECT * FROM attachments WHERE thread = ? AND type = ? AND key = ?";
    const row = this.#db.query<Row, [string, string, string]>(sql).get(threadId, type, key);
    return row ? attachmentOf(row) : undefined;
  }

  add(threadId: string, given: Pick<ThreadAttachment, "attachmentType" | "identityKey" | "payload">): ThreadAttachment {
    this.#db
      .query("INSERT INTO attachments (id, thread, type, key, payload, created) VALUES (?, ?, ?, ?, ?, ?)")
      .run(
        Bun.randomUUIDv7(),
        threadId,
        given.attachmentType,
        given.identityKey,
        JSON.stringify(given.payload ?? null),
        toSeconds(Date.now()),
      );
    return this.get(threadId, given.attachmentType, given.identityKey) as ThreadAttachment;
  }

  remove(id: string): void {
    this.#db.query("DELETE FROM attachments WHERE id = ?").run(id);
  }

  owners(type: string, key: string): string[] {
    const sql = "SELECT thread FROM attachments WHERE type = ? AND key = ? ORDER BY thread";
    return this.#db
      .query<{ thread: string }, [string, string]>(sql)
      .all(type, key)
      .map(({ thread }) => thread);
  }
}

function attachmentOf(row: Row): ThreadAttachment {
  return {
    id: row.id,
    attachmentType: row.type,
    identityKey: row.key,
    payload: JSON.parse(row.payload) as unknown,
    createdAt: row.created,
  };
}
