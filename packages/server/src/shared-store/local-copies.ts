import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { SQL } from "bun";
import { StoreError } from "../lib/faults.ts";
import { parseRolloutName } from "../store/rollout-files.ts";

/** Chunks that are read at a time. */
const together = 500;

/** The part of a thread that a copy has for certain: later bytes may never have been stored. */
interface Mark {
  readonly seq: number;
  readonly bytes: number;
}

interface ChunkRow {
  readonly seq: number;
  readonly body: string;
}

/** A thread whose file is to be as the database has it. */
export interface WantedCopy {
  readonly id: string;
  readonly file: string;
  /** True once this server writes to the file: then it is ahead of the database. */
  readonly isOurs: () => boolean;
}

/** The rollouts of the database that were needed here, as files. */
export class LocalCopies {
  readonly #home: string;
  readonly #running = new Map<string, Promise<void>>();

  constructor(home: string) {
    this.#home = home;
  }

  /** The path of a thread's file. Throws for a name that no server gave: a database may be written by others. */
  pathOf(threadId: string, file: string): string {
    const name = /^sessions\/\d{4}\/\d\d\/\d\d\/([^/]+)$/.exec(file)?.[1];
    if (name === undefined || parseRolloutName(name)?.threadId !== threadId) {
      throw new StoreError(
        `keep a copy of thread ${threadId}`,
        new Error(`${JSON.stringify(file)} is no name of a rollout`),
      );
    }
    return join(this.#home, file);
  }

  /** Brings a thread's file up to date, unless this server begins to write it meanwhile. */
  fetch(sql: SQL, { id: threadId, file, isOurs }: WantedCopy): Promise<void> {
    const running = this.#running.get(threadId) ?? Promise.resolve();
    const next = running
      .catch(() => undefined)
      .then(() => this.#fetch(sql, { id: threadId, file: this.pathOf(threadId, file), isOurs }))
      .finally(() => {
        if (this.#running.get(threadId) === next) this.#running.delete(threadId);
      });
    this.#running.set(threadId, next);
    return next;
  }

  /** Notes that the whole of a file is stored. */
  keep(threadId: string, file: string, seq: number): void {
    const path = this.pathOf(threadId, file);
    if (existsSync(path)) this.#mark(threadId, { seq, bytes: statSync(path).size });
  }

  /** Removes a thread's file: it has lines that were never stored, or the thread is gone. */
  drop(threadId: string, file: string): void {
    rmSync(this.#markPath(threadId), { force: true });
    rmSync(this.pathOf(threadId, file), { force: true });
  }

  async #fetch(sql: SQL, { id: threadId, file: path, isOurs }: WantedCopy): Promise<void> {
    if (isOurs()) return;
    let mark = this.#sound(threadId, path);
    for (;;) {
      const rows = await sql<ChunkRow[]>`
        SELECT seq, body FROM chunks WHERE thread = ${threadId} AND seq > ${mark.seq} ORDER BY seq LIMIT ${together}`;
      const last = rows.at(-1);
      if (last === undefined || isOurs()) return;
      const bytes = Buffer.from(rows.map(({ body }) => body).join(""));
      appendFileSync(path, bytes, { mode: 0o600 });
      mark = { seq: last.seq, bytes: mark.bytes + bytes.length };
      this.#mark(threadId, mark);
      if (rows.length < together) return;
    }
  }

  /** Cuts off what may not have been stored, and says what is left. */
  #sound(threadId: string, path: string): Mark {
    const none: Mark = { seq: 0, bytes: 0 };
    const mark = this.#readMark(threadId);
    const size = existsSync(path) ? statSync(path).size : 0;
    if (mark && size >= mark.bytes) {
      if (size > mark.bytes) truncateSync(path, mark.bytes);
      return mark;
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(path, { force: true });
    return none;
  }

  #readMark(threadId: string): Mark | undefined {
    try {
      return JSON.parse(readFileSync(this.#markPath(threadId), "utf8")) as Mark;
    } catch {
      return undefined;
    }
  }

  #mark(threadId: string, mark: Mark): void {
    const path = this.#markPath(threadId);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, JSON.stringify(mark), { mode: 0o600 });
  }

  #markPath(threadId: string): string {
    return join(this.#home, "marks", threadId);
  }
}
