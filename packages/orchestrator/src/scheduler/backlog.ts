import type { Snapshot, WaitingEntry } from "../events/snapshot.ts";
import type { TrackerConfig } from "../tracker/adapter.ts";
import type { Issue } from "../tracker/issue.ts";
import { ineligibleReason } from "./eligibility.ts";

/** Issues that are shown; more are only counted. */
const maxShown = 200;

/** The active issues of the last look at the tracker, each with the reason for which it would wait. */
export class Backlog {
  #entries: readonly WaitingEntry[] = [];

  /** @param issues In the order in which they would begin. */
  set(issues: readonly Issue[], config: TrackerConfig): void {
    this.#entries = issues.map((issue) => ({
      issueId: issue.id,
      identifier: issue.identifier,
      title: issue.title,
      url: issue.url,
      state: issue.state,
      reason: ineligibleReason(issue, config) ?? "no free slot",
    }));
  }

  /** @param isTaken True for what does not wait any more. */
  show(isTaken: (issueId: string) => boolean): Pick<Snapshot, "waiting" | "waitingCount"> {
    const waiting: WaitingEntry[] = [];
    let waitingCount = 0;
    for (const entry of this.#entries) {
      if (isTaken(entry.issueId)) continue;
      waitingCount++;
      if (waiting.length < maxShown) waiting.push(entry);
    }
    return { waiting, waitingCount };
  }
}
