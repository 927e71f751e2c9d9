import type { SQL, TransactionSQL } from "bun";
import type { SaidText } from "./said.ts";
import type { ListedThread } from "./thread-rows.ts";

/** The news of one thread. */
export interface ThreadPart {
  readonly id: string;
  readonly epoch: number;
  /** The number of this chunk; the first is 1. */
  readonly seq: number;
  /** Lines of the rollout; empty if only the entry has changed. */
  readonly body: string;
  readonly said: readonly SaidText[];
  /** The first turns that were taken back. */
  readonly reverted: readonly string[];
  /** The entry in lists, if it has changed. */
  readonly entry: ListedThread | undefined;
  /** The name of the rollout's file, for a new thread. */
  readonly file: string | undefined;
}

/**
 * Stores parts of several threads, all or nothing, and returns the threads that are still this server's. A batch may be
 * stored again if its reply was lost: the numbers of its chunks say what is there already.
 */
export async function storeBatch(sql: SQL, node: string, parts: readonly ThreadPart[]): Promise<ReadonlySet<string>> {
  const isPlain = parts.every(
    ({ file, said, reverted, entry }) => !file && !entry && said.length + reverted.length === 0,
  );
  if (isPlain) return putChunks(sql, node, parts);
  return sql.begin(async (transaction) => {
    await createThreads(transaction, node, parts);
    const stored = await putChunks(transaction, node, parts);
    const accepted = parts.filter(({ id }) => stored.has(id));
    await dropTexts(transaction, accepted);
    await putTexts(transaction, accepted);
    await putEntries(transaction, accepted);
    return stored;
  });
}

type Queries = SQL | TransactionSQL;

async function createThreads(sql: Queries, node: string, parts: readonly ThreadPart[]): Promise<void> {
  const made = parts.filter(({ file }) => file !== undefined).map(({ id, epoch, file }) => ({ id, epoch, file }));
  if (made.length === 0) return;
  await sql`
    INSERT INTO threads (id, file, epoch, owner)
    SELECT id, file, epoch, ${node} FROM json_to_recordset(${JSON.stringify(made)}::text::json) AS made (id TEXT, file TEXT, epoch INTEGER)
    ON CONFLICT DO NOTHING`;
}

interface IdRow {
  readonly id: string;
}

/** Adds a chunk to each thread that this server still owns. */
async function putChunks(sql: Queries, node: string, parts: readonly ThreadPart[]): Promise<ReadonlySet<string>> {
  const given = JSON.stringify(parts.map(({ id, epoch, seq, body }) => ({ id, epoch, seq, body })));
  const rows = await sql<IdRow[]>`
    WITH given AS (
      SELECT * FROM json_to_recordset(${given}::text::json) AS part (id TEXT, epoch INTEGER, seq INTEGER, body TEXT)
    ), owned AS (
      UPDATE threads SET seq = given.seq, bytes = bytes + octet_length(given.body) FROM given
      WHERE threads.id = given.id AND threads.owner = ${node} AND threads.epoch = given.epoch AND given.body <> ''
        AND threads.seq = given.seq - 1
      RETURNING given.id, given.seq, given.epoch, given.body
    ), added AS (
      INSERT INTO chunks (thread, seq, epoch, body) SELECT id, seq, epoch, body FROM owned
    )
    SELECT id FROM owned`;
  const stored = new Set(rows.map(({ id }) => id));
  if (stored.size < parts.length) for (const { id } of await ownedAlready(sql, node, given)) stored.add(id);
  return stored;
}

/** Threads whose chunk is there from an earlier try, or that have none to add. */
function ownedAlready(sql: Queries, node: string, given: string): Promise<IdRow[]> {
  return sql<IdRow[]>`
    SELECT threads.id FROM threads
    JOIN json_to_recordset(${given}::text::json) AS part (id TEXT, epoch INTEGER, seq INTEGER, body TEXT) USING (id)
    WHERE threads.owner = ${node} AND threads.epoch = part.epoch AND (part.body = '' OR threads.seq >= part.seq)`;
}

async function dropTexts(sql: Queries, parts: readonly ThreadPart[]): Promise<void> {
  for (const { id, reverted } of parts) {
    for (const turn of reverted) {
      await sql`
        DELETE FROM texts WHERE thread = ${id} AND (seq, number) >= (
          SELECT seq, number FROM texts WHERE thread = ${id} AND turn = ${turn} ORDER BY seq, number LIMIT 1
        )`;
    }
  }
}

async function putTexts(sql: Queries, parts: readonly ThreadPart[]): Promise<void> {
  const texts = parts.flatMap(({ id, seq, said }) =>
    said.map((text, number) => ({ thread: id, seq, number, ...text })),
  );
  if (texts.length === 0) return;
  await sql`
    INSERT INTO texts (thread, seq, number, turn, body)
    SELECT thread, seq, number, turn, body FROM json_to_recordset(${JSON.stringify(texts)}::text::json)
      AS said (thread TEXT, seq INTEGER, number INTEGER, turn TEXT, body TEXT)
    ON CONFLICT DO NOTHING`;
}

async function putEntries(sql: Queries, parts: readonly ThreadPart[]): Promise<void> {
  const entries = parts.flatMap(({ entry }) => entry ?? []);
  if (entries.length === 0) return;
  await sql`
    UPDATE threads SET listed = entry.listed, kind = entry.kind, parent = entry.parent, provider = entry.provider,
      originator = entry.originator, cwd = entry.cwd, name = entry.name, preview = entry.preview,
      created = entry.created, updated = entry.updated, rest = entry.rest
    FROM json_to_recordset(${JSON.stringify(entries)}::text::json) AS entry (
      id TEXT, listed INTEGER, kind TEXT, parent TEXT, provider TEXT, originator TEXT, cwd TEXT, name TEXT,
      preview TEXT, created DOUBLE PRECISION, updated DOUBLE PRECISION, rest TEXT
    )
    WHERE threads.id = entry.id`;
}
