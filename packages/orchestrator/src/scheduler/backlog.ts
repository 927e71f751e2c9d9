import type { Snapshot, WaitingEntry } from "../events/snapshot.ts";
import type { TrackerConfig } from "../tracker/adapter.ts";
import type { Issue } from "../tracker/issue.ts";
import { ineligibleReason } from "./eligibility.ts";

/** Issues that are shown; more are only counted. */
const maxShown = 200;

/** An issue that waits. */
export interface BacklogEntry extends WaitingEntry {
  readonly priority: number | null;
  /** False for an issue that is held back, whatever room there is. */
  readonly isReady: boolean;
}

/** The active issues of the last look at the tracker, each with the reason for which it would wait. */
export class Backlog {
  readonly #left = new Set<string>();
  #entries: readonly BacklogEntry[] = [];

  /** @param issues In the order in which they would begin. */
  set(issues: readonly Issue[], config: TrackerConfig): void {
    this.#left.clear();
    this.#entries = issues.map((issue) => ({
      priority: issue.priority,
      isReady: ineligibleReason(issue, config) === undefined,
      issueId: issue.id,
      identifier: issue.identifier,
      title: issue.title,
      url: issue.url,
      state: issue.state,
      reason: ineligibleReason(issue, config) ?? "no free slot",
    }));
  }

  /** An issue was let go after that look: it does not wait. */
  leave(issueId: string): void {
    this.#left.add(issueId);
  }

  /** All of them. @param isTaken True for what does not wait any more. */
  all(isTaken: (issueId: string) => boolean): readonly BacklogEntry[] {
    return this.#entries.filter(({ issueId }) => !this.#left.has(issueId) && !isTaken(issueId));
  }

  /** @param isTaken True for what does not wait any more. */
  show(isTaken: (issueId: string) => boolean): Pick<Snapshot, "waiting" | "waitingCount"> {
    const waiting: WaitingEntry[] = [];
    let waitingCount = 0;
    for (const entry of this.#entries) {
      if (this.#left.has(entry.issueId) || isTaken(entry.issueId)) continue;
      waitingCount++;
      const { issueId, identifier, title, url, state, reason } = entry;
      if (waiting.length < maxShown) waiting.push({ issueId, identifier, title, url, state, reason });
    }
    return { waiting, waitingCount };
  }
}
