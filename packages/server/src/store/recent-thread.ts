import { statSync } from "node:fs";
import type { ThreadRecord } from "../record/thread-record.ts";

const keptMs = 10_000;

/** Keeps the last thread that was read, for paging through it. Callers must not change it. */
export class RecentThread {
  #kept: { readonly path: string; readonly state: string; readonly record: Promise<ThreadRecord> } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Reads a thread, or returns the kept one when its file is unchanged. */
  get(path: string, read: () => Promise<ThreadRecord>): Promise<ThreadRecord> {
    // Before it is read: what is written meanwhile shows as a change.
    const state = stateOf(path);
    const kept = this.#kept;
    if (kept?.path === path && kept.state === state) return kept.record;
    const record = read();
    this.#kept = { path, state, record };
    record.catch(() => this.forget());
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

/** Empty when the file is missing: reading it will say why. */
function stateOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return "";
  }
}
