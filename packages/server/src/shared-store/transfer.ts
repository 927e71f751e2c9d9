import { mkdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { errorMessage } from "../lib/error-message.ts";
import type { ThreadRecord } from "../record/thread-record.ts";
import { moveThread } from "../store/move-thread.ts";
import { NameFile } from "../store/name-file.ts";
import { readThreadGently } from "../store/read-thread.ts";
import { readRollout } from "../store/rollout-bytes.ts";
import {
  archiveFolder,
  dayFolders,
  isArchived,
  parseRolloutName,
  readNames,
  unarchivedPath,
  unpackedPath,
} from "../store/rollout-files.ts";
import { isListed, summaryOf } from "../store/summary-of.ts";
import { Database } from "./database.ts";
import { LocalCopies } from "./local-copies.ts";
import { saidInTurns } from "./said.ts";
import { storeBatch } from "./store-batch.ts";
import { listedThread } from "./thread-rows.ts";

/** The outcome of copying a thread. */
export interface Transferred {
  readonly threadId: string;
  readonly outcome: "done" | "there already" | "left out";
  /** The reason for leaving it out. */
  readonly why?: string;
}

/** A home and a database between which threads are copied. */
export interface TransferOptions {
  readonly url: string;
  readonly home: string;
  /** Default: all. */
  readonly threadIds?: readonly string[] | undefined;
}

/** No server has this name: what is imported belongs to nobody. */
const importer = "import";

/** Copies a home's threads into a database. Those that it has already stay as they are; the home's files stay, too. */
export async function* importThreads({ url, home, threadIds }: TransferOptions): AsyncGenerator<Transferred> {
  const database = new Database(url);
  const names = new NameFile(home);
  try {
    for (const path of rolloutsOf(home)) {
      const threadId = parseRolloutName(basename(path))?.threadId;
      if (threadId === undefined || (threadIds && !threadIds.includes(threadId))) continue;
      try {
        yield { threadId, outcome: await importOne(database, { home, path, threadId, name: names.get(threadId) }) };
      } catch (error) {
        yield { threadId, outcome: "left out", why: errorMessage(error) };
      }
    }
  } finally {
    await database.close();
  }
}

interface ImportedFile {
  readonly home: string;
  readonly path: string;
  readonly threadId: string;
  readonly name: string | undefined;
}

async function importOne(database: Database, file: ImportedFile): Promise<"done" | "there already"> {
  const { home, path, threadId, name } = file;
  const { record } = await readThreadGently(home, path);
  if (name !== undefined) record.name = name || null;
  const body = wholeLines(readRollout(path, home).bytes);
  if (/^[^\n]*"history_base":\{/.test(body)) throw new Error("it continues another file; fork it, and import the fork");
  const isAway = isArchived(home, path);
  const target = isAway ? (unarchivedPath(home, basename(path)) ?? path) : path;
  return database.use("import a thread", async (sql) => {
    const [known] = await sql<{ id: string }[]>`SELECT id FROM threads WHERE id = ${threadId}`;
    if (known) return "there already";
    const entry = listedThread(summaryOf(record, path, isAway), isListed(record));
    const part = {
      ...{
        id: threadId,
        epoch: 1,
        seq: 1,
        body: named(body, record),
        said: saidInTurns(record.turns),
        reverted: [],
        entry,
      },
      file: relative(home, unpackedPath(target)),
    };
    await storeBatch(sql, importer, [part]);
    await sql`UPDATE threads SET owner = NULL, archived = ${isAway ? 1 : 0} WHERE id = ${threadId}`;
    return "done";
  });
}

/** Names are in a file of their own; in a database they are lines of the thread. */
function named(body: string, { name }: ThreadRecord): string {
  if (name === null || body.includes(`"kind":"name","name":${JSON.stringify(name)}`)) return body;
  const line = { timestamp: new Date().toISOString(), type: "thread_event", payload: { kind: "name", name } };
  return `${body}${JSON.stringify(line)}\n`;
}

/** Text up to the last newline: a process that was killed may have left half a line. */
function wholeLines(bytes: Buffer): string {
  return bytes.toString("utf8", 0, bytes.lastIndexOf(0x0a) + 1);
}

function* rolloutsOf(home: string): Generator<string> {
  for (const folder of [...dayFolders(home), join(home, archiveFolder)]) {
    for (const name of readNames(folder).sort()) if (parseRolloutName(name)) yield join(folder, name);
  }
}

interface ExportRow {
  readonly id: string;
  readonly file: string;
  readonly name: string | null;
  readonly archived: number;
}

/** Copies a database's threads into a home, as rollouts that Codex reads. Files that are there are brought up to date. */
export async function* exportThreads({ url, home, threadIds }: TransferOptions): AsyncGenerator<Transferred> {
  const database = new Database(url);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const copies = new LocalCopies(home);
  const names = new NameFile(home);
  try {
    const rows = await database.use(
      "list threads",
      (sql) => sql<ExportRow[]>`SELECT id, file, name, archived FROM threads ORDER BY id`,
    );
    for (const { id, file, name, archived } of rows) {
      if (threadIds && !threadIds.includes(id)) continue;
      try {
        if (archived === 1) moveThread(home, id, "unarchive");
        await database.use("export a thread", (sql) => copies.fetch(sql, { id, file, isOurs: () => false }));
        if (name !== null && names.get(id) !== name) names.put(id, name);
        if (archived === 1) moveThread(home, id, "archive");
        yield { threadId: id, outcome: "done" };
      } catch (error) {
        yield { threadId: id, outcome: "left out", why: errorMessage(error) };
      }
    }
  } finally {
    await database.close();
  }
}
