import { statSync } from "node:fs";
import type { ThreadRecord } from "../record/thread-record.ts";

/** So long a thread is kept that nobody asks for again. */
const keptMs = 10_000;

/**
 * Keeps the thread that was last read, one at most: whoever pages through a thread asks for it page by page, and reading
 * it each time would take the square of its length. Whoever gets it must not change it.
 */
export class RecentThread {
  #kept: { readonly path: string; readonly state: string; readonly record: ThreadRecord } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Reads a thread, or gives it as it was read where its file is still the same. */
  get(path: string, read: () => ThreadRecord): ThreadRecord {
    // Before it is read: what is written meanwhile shows as a change.
    const state = stateOf(path);
    const kept = this.#kept;
    if (kept?.path === path && kept.state === state) return kept.record;
    const record = read();
    this.#kept = { path, state, record };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.forget(), keptMs);
    this.#timer.unref();
    return record;
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#kept = undefined;
  }
}

/** Empty where there is no such file: reading it says why. */
function stateOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return "";
  }
}
