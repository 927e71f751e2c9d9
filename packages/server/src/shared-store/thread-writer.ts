import type { Log } from "../lib/log.ts";
import type { NewLine } from "../record/rollout-line.ts";
import type { Original } from "../store/file-rollout.ts";
import type { Database } from "./database.ts";
import type { NodeLease } from "./node-lease.ts";
import { revertedIn, type SaidText, saidIn } from "./said.ts";
import { storeBatch, type ThreadPart } from "./store-batch.ts";
import { type Claim, releaseThread, ThreadTaken } from "./thread-owner.ts";
import type { ListedThread } from "./thread-rows.ts";

/** Text that one batch takes; the rest goes with the next. */
const maxBatchLength = 8_000_000;
/** Pause before a batch is tried again. */
const retryMs = 200;

/** Options of a {@link ThreadWriter}. */
export interface WriterOptions {
  readonly database: Database;
  readonly node: NodeLease;
  readonly log: Log;
  /** Called when a thread is no longer this server's. What was written last is not stored. */
  readonly onTaken: (threadId: string, reason: ThreadTaken) => void;
}

type Deferred = ReturnType<typeof Promise.withResolvers<void>>;

/** A thread that this server may write. */
interface Owned {
  readonly id: string;
  readonly epoch: number;
  /** Of the last chunk that was sent. */
  seq: number;
  /** The name of the file of a thread that the database does not know yet. */
  file: string | undefined;
  body: string[];
  said: SaidText[];
  reverted: string[];
  entry: ListedThread | undefined;
  /** Settles when what waits is stored; there only while something waits. */
  waiting: Deferred | undefined;
  /** The same for what is on its way. */
  sent: Promise<void> | undefined;
}

/** Stores what this server's threads write, many at a time and in the order of each. */
export class ThreadWriter implements Original {
  readonly #options: WriterOptions;
  readonly #owned = new Map<string, Owned>();
  readonly #taken = new Map<string, ThreadTaken>();
  readonly #dirty = new Set<Owned>();
  #running: Promise<void> | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  owns(threadId: string): boolean {
    return this.#owned.has(threadId);
  }

  /** Notes a new thread; the first append makes it. */
  create(threadId: string, file: string): void {
    this.#add({ id: threadId, epoch: 1, seq: 0, file });
  }

  /** Notes a thread that was claimed. */
  adopt(threadId: string, { epoch, seq }: Claim): void {
    this.#add({ id: threadId, epoch, seq, file: undefined });
  }

  begin(threadId: string): void {
    if (this.#owned.has(threadId)) return;
    throw this.#taken.get(threadId) ?? new ThreadTaken(threadId, "it was given back");
  }

  append(threadId: string, pieces: readonly string[], lines: readonly NewLine[]): void {
    const owned = this.#owned.get(threadId);
    if (!owned) return;
    owned.body.push(...pieces);
    owned.said.push(...saidIn(lines));
    owned.reverted.push(...revertedIn(lines));
    this.#wait(owned);
  }

  /** Updates a thread's entry in lists. */
  list(entry: ListedThread): void {
    const owned = this.#owned.get(entry.id);
    if (!owned) return;
    owned.entry = entry;
    this.#wait(owned);
  }

  /** A promise while something of the thread is not stored. Rejects with the reason when it never will be. */
  stored(threadId: string): Promise<void> | undefined {
    const owned = this.#owned.get(threadId);
    return owned?.waiting?.promise ?? owned?.sent;
  }

  /** Stores what waits and gives the thread back. Returns the number of its last chunk; `undefined` if it is lost. */
  async release(threadId: string): Promise<number | undefined> {
    await this.stored(threadId)?.catch(() => undefined);
    const owned = this.#owned.get(threadId);
    this.#taken.delete(threadId);
    if (!owned) return undefined;
    this.#owned.delete(threadId);
    // Nothing was ever written.
    if (owned.file !== undefined) return undefined;
    const { database, node, log } = this.#options;
    await database
      .use("give a thread back", (sql) => releaseThread(sql, threadId, { node: node.id, epoch: owned.epoch }))
      .catch((error) => log.warn(`thread ${threadId} is not given back before this server's lease ends`, error));
    return owned.seq;
  }

  get ids(): string[] {
    return [...this.#owned.keys()];
  }

  #add(owned: Pick<Owned, "id" | "epoch" | "seq" | "file">): void {
    this.#taken.delete(owned.id);
    const nothing = { body: [], said: [], reverted: [], entry: undefined, waiting: undefined, sent: undefined };
    this.#owned.set(owned.id, { ...owned, ...nothing });
  }

  #wait(owned: Owned): void {
    if (owned.waiting === undefined) {
      owned.waiting = Promise.withResolvers();
      // Who does not wait for it must not be ended by it.
      owned.waiting.promise.catch(() => undefined);
    }
    this.#dirty.add(owned);
    // What is written at the same moment goes together.
    this.#running ??= Promise.resolve().then(() => this.#run());
  }

  async #run(): Promise<void> {
    while (this.#dirty.size > 0) await this.#storeSome();
    this.#running = undefined;
  }

  async #storeSome(): Promise<void> {
    const batch: { readonly owned: Owned; readonly part: ThreadPart; readonly done: Deferred }[] = [];
    let length = 0;
    for (const owned of this.#dirty) {
      if (length > maxBatchLength) break;
      this.#dirty.delete(owned);
      const done = owned.waiting;
      if (!done) continue;
      const part = take(owned);
      owned.sent = done.promise;
      length += part.body.length;
      batch.push({ owned, part, done });
    }
    const stored = await this.#store(batch.map(({ part }) => part));
    for (const { owned, done } of batch) {
      if (owned.sent === done.promise) owned.sent = undefined;
      if (stored.has(owned.id)) {
        owned.file = undefined;
        done.resolve();
      } else {
        this.#lose(owned, done, "another server has taken it over");
      }
    }
  }

  /** Tries until it works, or until other servers may take the threads. */
  async #store(parts: readonly ThreadPart[]): Promise<ReadonlySet<string>> {
    const { database, node, log } = this.#options;
    for (let failed = false; ; failed = true) {
      try {
        await node.register();
        return await database.use("store threads", (sql) => storeBatch(sql, node.id, parts));
      } catch (error) {
        if (!failed) log.warn("threads are held until they can be stored", error);
        if (!node.isValid) return new Set();
        await Bun.sleep(retryMs);
      }
    }
  }

  #lose(owned: Owned, done: Deferred, why: string): void {
    const reason = new ThreadTaken(owned.id, this.#options.node.isValid ? why : "the database cannot be reached");
    done.reject(reason);
    owned.waiting?.reject(reason);
    this.#dirty.delete(owned);
    if (this.#owned.get(owned.id) !== owned) return;
    this.#owned.delete(owned.id);
    this.#taken.set(owned.id, reason);
    this.#options.onTaken(owned.id, reason);
  }
}

/** Takes all that waits of a thread, as the next part of it. */
function take(owned: Owned): ThreadPart {
  const { id, epoch, said, reverted, entry, file } = owned;
  const body = owned.body.join("");
  if (body !== "") owned.seq++;
  Object.assign(owned, { body: [], said: [], reverted: [], entry: undefined, waiting: undefined });
  return { id, epoch, seq: owned.seq, body, said, reverted, entry, file };
}
