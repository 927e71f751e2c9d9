import type { TimelineEntry } from "../state/snapshot.ts";

/** Lines kept for one issue. */
const maxLines = 200;

/** What happened in the runs of each issue, the last of it. */
export class IssueLogs {
  readonly #logs = new Map<string, TimelineEntry[]>();

  add(issueId: string, entry: TimelineEntry): void {
    const log = this.#logs.get(issueId);
    if (!log) this.#logs.set(issueId, [entry]);
    else {
      log.push(entry);
      // Half at a time, so that a busy run does not move its whole log with each line.
      if (log.length >= 2 * maxLines) log.splice(0, log.length - maxLines);
    }
  }

  /** Oldest first. */
  of(issueId: string): readonly TimelineEntry[] {
    return (this.#logs.get(issueId) ?? []).slice(-maxLines);
  }

  forget(issueId: string): void {
    this.#logs.delete(issueId);
  }
}
