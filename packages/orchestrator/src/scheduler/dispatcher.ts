import { toRunError } from "../events/run-error.ts";
import type { Issue } from "../tracker/issue.ts";
import type { SchedulerCore } from "./core.ts";
import { ineligibleReason } from "./eligibility.ts";
import { SingleFlight } from "./single-flight.ts";
import { Slots } from "./slots.ts";
import { sortIssues } from "./sort-issues.ts";

/**
 * Starts eligible issues. Issues that found no slot are kept until the next look at the tracker, so that a run that
 * ends makes room for the next one at once; each is looked at again before it is started.
 */
export class Dispatcher {
  readonly #core: SchedulerCore;
  readonly #filling = new SingleFlight(() => this.#fillOnce());
  #waiting: readonly Issue[] = [];

  constructor(core: SchedulerCore) {
    this.#core = core;
  }

  /** True while issues may still start without another poll of the tracker. */
  get busy(): boolean {
    return this.#filling.busy;
  }

  /** Asks the tracker for all active issues and begins as many as there are slots for; returns how many. */
  async dispatchAll(): Promise<number> {
    const { store, calls } = this.#core.options;
    const { tracker, config } = store.current;
    const { answer, stale } = await calls.ask((options) =>
      tracker.fetchIssuesByStates(config.tracker.activeStates, options),
    );
    const issues = sortIssues(answer.filter(({ id }) => !stale.has(id)));
    this.#waiting = [];
    const { begun, left } = this.#begin(issues);
    this.#waiting = left;
    return begun;
  }

  /** Begins the next of those that wait, if there is room. */
  fill(): void {
    if (this.#waiting.length > 0 && this.#core.options.canStartRuns()) void this.#filling.run();
  }

  /** Resolves when no start is pending. */
  settled(): Promise<void> {
    return this.#filling.settled();
  }

  async #fillOnce(): Promise<void> {
    const { store, calls, bus } = this.#core.options;
    if (store.error || !this.#core.options.canStartRuns()) return;
    const { agent } = store.current.config;
    const free = new Slots(agent, this.#runningStates()).free;
    const next = this.#waiting.slice(0, free);
    if (next.length === 0) return;
    this.#waiting = this.#waiting.slice(next.length);
    try {
      const { tracker } = store.current;
      const { answer, stale } = await calls.ask((options) =>
        tracker.fetchIssuesByIds(
          next.map(({ id }) => id),
          options,
        ),
      );
      const { left } = this.#begin(sortIssues(answer.filter(({ id }) => !stale.has(id))));
      // Those whose state has no room come after the others; the next look at the tracker sorts all again.
      this.#waiting = [...this.#waiting, ...left];
    } catch (error) {
      const { code, message } = toRunError(error);
      bus.log("warn", `could not check waiting issues: ${message}`, { code });
    }
  }

  #begin(issues: readonly Issue[]): { begun: number; left: Issue[] } {
    const { ledger, store, canStartRuns } = this.#core.options;
    const { config } = store.current;
    const slots = new Slots(config.agent, this.#runningStates());
    const left: Issue[] = [];
    let begun = 0;
    for (const issue of issues) {
      if (
        !canStartRuns() ||
        ledger.isClaimed(issue.id) ||
        this.#core.isOver(issue.id) ||
        ineligibleReason(issue, config.tracker) !== undefined
      )
        continue;
      if (slots.take(issue.state)) {
        this.#core.dispatch(issue, 0);
        begun++;
      } else left.push(issue);
    }
    return { begun, left };
  }

  #runningStates(): string[] {
    return [...this.#core.options.ledger.running.values()].map(({ run }) => run.state.issue.state);
  }
}
