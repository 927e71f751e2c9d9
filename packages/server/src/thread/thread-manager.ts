import { invalidRequest } from "../lib/rpc-errors.ts";
import type { Core, LoadedThreads } from "./core.ts";
import { openSettings } from "./open-settings.ts";
import type { SettingsParams } from "./settings-params.ts";
import { Thread } from "./thread.ts";
import type { ThreadParts } from "./thread-parts.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Lifetime of an unused thread, as in Codex: a client that reconnects finds it warm. */
const restMs = 30 * 60 * 1000;

/** The threads that are loaded. A thread is loaded once, however many ask for it at the same time. */
export class ThreadManager implements LoadedThreads<Thread> {
  readonly #core: () => Core<Thread>;
  readonly #loaded = new Map<string, Thread>();
  readonly #loading = new Map<string, Promise<Thread | undefined>>();
  readonly #resting = new Map<string, ReturnType<typeof setTimeout>>();
  /** True while the server closes: no thread is loaded any more. */
  #closing = false;

  constructor(core: () => Core<Thread>) {
    this.#core = core;
  }

  get ids(): string[] {
    return [...this.#loaded.keys()];
  }

  get runningTurns(): Promise<void>[] {
    return [...this.#loaded.values()].flatMap(({ active }) => active?.done ?? []);
  }

  get(threadId: string): Thread | undefined {
    return this.#loaded.get(threadId);
  }

  require(threadId: string): Thread {
    checkThreadId(threadId);
    const thread = this.#loaded.get(threadId);
    if (thread === undefined) throw invalidRequest(`thread not found: ${threadId}`);
    return thread;
  }

  add(parts: ThreadParts): Thread {
    if (this.#closing) throw invalidRequest("the server is closing; connect to another");
    const thread = new Thread(this.#core(), parts);
    this.#loaded.set(thread.id, thread);
    return thread;
  }

  load(threadId: string, params: SettingsParams): Promise<Thread | undefined> {
    checkThreadId(threadId);
    const loaded = this.#loaded.get(threadId);
    if (loaded && !loaded.closing) return Promise.resolve(loaded);
    const running = this.#loading.get(threadId);
    if (running) return running;
    const loading = this.#open(threadId, params).finally(() => this.#loading.delete(threadId));
    this.#loading.set(threadId, loading);
    return loading;
  }

  async #open(threadId: string, params: SettingsParams): Promise<Thread | undefined> {
    const core = this.#core();
    // A thread that is being unloaded is not handed out: it would vanish under its user.
    await this.unload(threadId);
    const opened = await core.store.open(threadId);
    if (opened === undefined) return undefined;
    const { settings, config } = openSettings(core, params, opened.record);
    return this.add({ record: opened.record, rollout: opened.rollout, settings, config, ephemeral: false });
  }

  async unload(threadId: string): Promise<void> {
    const thread = this.#loaded.get(threadId);
    if (thread === undefined) return;
    clearTimeout(this.#resting.get(threadId));
    this.#resting.delete(threadId);
    await thread.close();
    await this.#core().store.release(threadId);
    if (this.#loaded.get(threadId) === thread) this.#loaded.delete(threadId);
  }

  rest(thread: Thread): void {
    if (!thread.isResting || this.#resting.has(thread.id) || this.#loaded.get(thread.id) !== thread) return;
    const timer = setTimeout(() => {
      this.#resting.delete(thread.id);
      if (thread.isResting && this.#loaded.get(thread.id) === thread) void this.#putAway(thread);
    }, restMs);
    this.#resting.set(thread.id, timer);
    timer.unref();
  }

  async #putAway(thread: Thread): Promise<void> {
    const { server } = this.#core();
    try {
      await this.unload(thread.id);
      server.broadcast("thread/status/changed", { threadId: thread.id, status: { type: "notLoaded" } });
      server.broadcast("thread/closed", { threadId: thread.id });
    } catch (error) {
      server.log.error(`thread ${thread.id} could not be unloaded`, error);
    }
  }

  /** Ends a thread that another server has taken over. What its clients were not told yet, they are not told. */
  async taken(threadId: string, reason: Error): Promise<void> {
    const thread = this.#loaded.get(threadId);
    if (thread === undefined) return;
    this.#core().server.log.warn(reason.message);
    thread.closing = true;
    thread.active?.fail(reason);
    await thread.active?.done;
    await this.#putAway(thread);
  }

  /** Unloads every thread without a running turn, whoever follows it. */
  async putAwayIdle(): Promise<void> {
    const idle = [...this.#loaded.values()].filter(
      ({ active, closing, ephemeral }) => !active && !closing && !ephemeral,
    );
    await Promise.all(idle.map((thread) => this.#putAway(thread)));
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.ids.map((id) => this.unload(id)));
  }
}

/** True when a text has the form of a thread id. */
export const isThreadId = (text: string): boolean => uuid.test(text);

/** Refuses what is no thread id. */
export function checkThreadId(threadId: string): void {
  if (!isThreadId(threadId)) {
    throw invalidRequest(`invalid thread id: ${JSON.stringify(threadId)} is no UUID`);
  }
}
