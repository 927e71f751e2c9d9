import type { Clock } from "../lib/clock.ts";
import { TrackerError } from "../tracker/tracker-error.ts";

/** Timeout of one answer from a tracker, all its pages included. */
const limitMs = 120_000;

/**
 * Asks trackers, with a limit. What is released while an answer is on its way is noted for the one who asked: the answer
 * may show it as it was before, and must not bring it back.
 */
export class TrackerCalls {
  readonly #clock: Clock;
  readonly #stop: AbortSignal;
  readonly #underWay = new Set<Set<string>>();

  /** @param stop Ends all calls. */
  constructor(clock: Clock, stop: AbortSignal) {
    this.#clock = clock;
    this.#stop = stop;
  }

  /** Asks; returns the answer with the ids of issues that were released meanwhile. */
  async ask<T>(
    call: (options: { signal: AbortSignal }) => Promise<T>,
  ): Promise<{ answer: T; stale: ReadonlySet<string> }> {
    this.#stop.throwIfAborted();
    const stale = new Set<string>();
    const limit = new AbortController();
    const late = new TrackerError("tracker_request", `The tracker did not answer within ${limitMs} ms`);
    const cancel = this.#clock.setTimeout(() => limit.abort(late), limitMs);
    const signal = AbortSignal.any([limit.signal, this.#stop]);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    this.#underWay.add(stale);
    try {
      return { answer: await Promise.race([call({ signal }), aborted]), stale };
    } finally {
      this.#underWay.delete(stale);
      cancel();
      // With a listener it would be kept for as long as the orchestrator runs.
      signal.removeEventListener("abort", end);
    }
  }

  /** An issue was released. */
  released(issueId: string): void {
    for (const stale of this.#underWay) stale.add(issueId);
  }
}
