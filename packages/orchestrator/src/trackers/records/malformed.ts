import type { Logger } from "../../events/events.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";

/** Records named in one line of the log; more are only counted. */
const named = 5;

/**
 * Says once, in the log, that records of a list were left out and why. The same text is not repeated at every poll, only
 * when it changes.
 */
export class MalformedReport {
  readonly #log: Logger;
  #last = "";

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param problems One sentence for each record. */
  report(problems: readonly string[]): void {
    const text = problems.slice(0, named).join(" ");
    const key = problems.join("\n");
    if (key === this.#last) return;
    this.#last = key;
    if (problems.length === 0) return;
    this.#log("warn", "issues omitted", { outcome: "omitted", count: problems.length, reason: text });
  }
}

/** A record that was asked for by its id must not be taken for one that is gone. */
export function malformedRecord(problem: string): TrackerError {
  return new TrackerError("tracker_response", `${problem} It was asked for by its id, so it cannot be left out.`);
}
