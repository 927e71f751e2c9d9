import type { ThreadRecord } from "../../record/thread-record.ts";
import { isListed, summaryOf } from "../summary-of.ts";
import type { ThreadSummary } from "../thread-store.ts";
import { type FileStat, fileStat } from "./file-stat.ts";

/** A thread as it was when it changed, and whether lists show it. */
export interface PendingChange {
  readonly summary: ThreadSummary;
  readonly listed: boolean;
  /** Its file then: what was written after that has not been indexed yet. */
  readonly file: FileStat;
}

/** Changes of loaded threads that the index does not know yet, each as small as a row. */
export class PendingChanges {
  readonly #changes = new Map<string, PendingChange>();
  /** Called when the first change is added. */
  onFirst: (() => void) | undefined;

  add(record: ThreadRecord): void {
    const file = record.path === null ? undefined : fileStat(record.path);
    if (record.path === null || !file) return;
    if (this.#changes.size === 0) this.onFirst?.();
    const summary = summaryOf(record, record.path, false);
    this.#changes.set(record.meta.id, { summary, listed: isListed(record), file });
  }

  get size(): number {
    return this.#changes.size;
  }

  /** Removes and returns the changes. */
  take(): PendingChange[] {
    const all = [...this.#changes.values()];
    this.#changes.clear();
    return all;
  }
}
