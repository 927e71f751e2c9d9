import type { PagePort } from "./hub-options.ts";

/** Turns that are followed at once on one hub, and characters of a thread's name. */
const maxRunning = 10_000;
const longestId = 200;

interface OpenThread {
  readonly pages: Set<PagePort>;
  /** When the last page left; `undefined` while there is one. */
  leftAt: number | undefined;
}

/** Threads that pages have open on one hub, and the turns that run. */
export class OpenThreads {
  readonly #threads = new Map<string, OpenThread>();
  readonly #running = new Set<string>();

  /** All that are open, also those whose pages have gone a moment ago. */
  get ids(): string[] {
    return [...this.#threads.keys()];
  }

  /** Records that a page follows a thread. A page that has closed meanwhile leaves it at once. */
  add(threadId: string, page: PagePort): void {
    const thread = this.#threads.get(threadId) ?? { pages: new Set(), leftAt: undefined };
    this.#threads.set(threadId, thread);
    if (page.open) thread.pages.add(page);
    thread.leftAt = thread.pages.size > 0 ? undefined : Date.now();
  }

  /** Ends a page's following of a thread; true if another page follows it. */
  release(threadId: string, page: PagePort): boolean {
    const thread = this.#threads.get(threadId);
    if (!thread) return false;
    thread.pages.delete(page);
    if (thread.pages.size > 0) return true;
    this.#threads.delete(threadId);
    return false;
  }

  /** Handles a page that has closed, perhaps to reload: its threads are kept for a while. */
  leave(page: PagePort): void {
    for (const thread of this.#threads.values()) {
      if (thread.pages.delete(page) && thread.pages.size === 0) thread.leftAt = Date.now();
    }
  }

  /** Forgets a thread that was closed. */
  forget(threadId: string): void {
    this.#threads.delete(threadId);
    this.#running.delete(threadId);
  }

  /** Ignores a server that names more threads than it could run. */
  turnStarted(threadId: string): void {
    if (this.#running.size < maxRunning && threadId.length <= longestId) this.#running.add(threadId);
  }

  turnEnded(threadId: string): void {
    this.#running.delete(threadId);
  }

  /** Forgets running turns: the connection is lost. */
  disconnected(): void {
    this.#running.clear();
  }

  /** True while a thread is open that no page follows. */
  get hasLeft(): boolean {
    return [...this.#threads.values()].some(({ leftAt }) => leftAt !== undefined);
  }

  /** Takes out those that no page has followed for some time and in which nothing happens. */
  takeLeft(lingerMs: number, isBusy: (threadId: string) => boolean): string[] {
    const before = Date.now() - lingerMs;
    const left = [...this.#threads].flatMap(([id, { leftAt }]) => {
      return leftAt !== undefined && leftAt <= before && !this.#running.has(id) && !isBusy(id) ? [id] : [];
    });
    for (const id of left) this.#threads.delete(id);
    return left;
  }
}
