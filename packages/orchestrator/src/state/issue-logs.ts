import type { TimelineEntry } from "../events/snapshot.ts";
import type { Clock } from "../lib/clock.ts";
import type { TimelineLine, TimelineTable } from "./timeline-table.ts";

/** Lines kept for one issue. */
const maxLines = 200;
/** Lines that wait to be written, and for how long at most: what a crash may cost, at the end of a timeline. */
const maxWaiting = 100;
const writeMs = 500;

/** The latest events of each issue's runs. They live in the state file, so they survive restarts. */
export class IssueLogs implements Disposable {
  readonly #table: TimelineTable;
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  /** Lines written for an issue since its older ones were last removed. */
  readonly #written = new Map<string, number>();
  #waiting: TimelineLine[] = [];
  #cancelTimer: (() => void) | undefined;

  /** @param failed Told when lines could not be written, on a full disk for example. They are lost then. */
  constructor(table: TimelineTable, clock: Clock, failed: (error: unknown) => void) {
    this.#table = table;
    this.#clock = clock;
    this.#failed = failed;
  }

  add(issueId: string, entry: TimelineEntry): void {
    this.#waiting.push({ issueId, entry });
    if (this.#waiting.length >= maxWaiting) this.#write();
    else this.#cancelTimer ??= this.#clock.setTimeout(() => this.#write(), writeMs);
  }

  /** Oldest first. */
  of(issueId: string): readonly TimelineEntry[] {
    this.#write();
    return this.#table.last(issueId, maxLines);
  }

  forget(issueId: string): void {
    this.#write();
    this.#written.delete(issueId);
    this.#trying(() => this.#table.keep(issueId, 0));
  }

  /** Writes what waits. Nothing may be added afterwards. */
  [Symbol.dispose](): void {
    this.#write();
  }

  #write(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#waiting.length === 0) return;
    const lines = this.#waiting;
    this.#waiting = [];
    this.#trying(() => {
      this.#table.append(lines);
      for (const { issueId } of lines) this.#count(issueId);
    });
  }

  /**
   * Older lines are removed with the first line of an issue, since an earlier orchestrator may have left some, and then a
   * whole timeline at a time, so that a busy run does not do it with each line.
   */
  #count(issueId: string): void {
    const written = this.#written.get(issueId) ?? 0;
    this.#written.set(issueId, (written + 1) % maxLines);
    if (written === 0) this.#table.keep(issueId, maxLines);
  }

  #trying(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#failed(error);
    }
  }
}
