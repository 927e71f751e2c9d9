import { toRunError } from "../events/run-error.ts";
import type { Issue } from "../tracker/issue.ts";
import { Backlog } from "./backlog.ts";
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
  readonly backlog: Backlog = new Backlog();

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
    const issues = this.#core.options.priorities.ranked(answer.filter(({ id }) => !stale.has(id)));
    this.#waiting = [];
    this.backlog.set(issues, config.tracker);
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
    const next = this.#nextWaiting();
    if (next.length === 0) return;
    const taken = new Set(next);
    this.#waiting = this.#waiting.filter((issue) => !taken.has(issue));
    try {
      const { tracker } = store.current;
      const { answer, stale } = await calls.ask((options) =>
        tracker.fetchIssuesByIds(
          next.map(({ id }) => id),
          options,
        ),
      );
      const { left } = this.#begin(this.#core.options.priorities.ranked(answer.filter(({ id }) => !stale.has(id))));
      if (left.length > 0) this.#waiting = sortIssues([...this.#waiting, ...left]);
      // One that was not begun left its slot to the next.
      if (this.#nextWaiting().length > 0) void this.#filling.run();
    } catch (error) {
      const { code, message } = toRunError(error);
      bus.log("warn", `could not check waiting issues: ${message}`, { code });
    }
  }

  /** Those that wait and have a slot. An issue whose state has no room does not keep those behind it from theirs. */
  #nextWaiting(): readonly Issue[] {
    const slots = new Slots(this.#core.limits, this.#runningStates());
    const next: Issue[] = [];
    // Ends with the last slot: thousands may wait, and this is done at the end of each run.
    for (const issue of this.#waiting) {
      if (slots.isFull) break;
      if (slots.take(issue.state)) next.push(issue);
    }
    return next;
  }

  #begin(issues: readonly Issue[]): { begun: number; left: Issue[] } {
    const { ledger, store, canStartRuns } = this.#core.options;
    const { config } = store.current;
    const slots = new Slots(this.#core.limits, this.#runningStates());
    const left: Issue[] = [];
    const isOver = this.#core.dayOver() !== undefined;
    let begun = 0;
    for (const issue of issues) {
      if (
        !canStartRuns() ||
        isOver ||
        ledger.isClaimed(issue.id) ||
        this.#core.isOver(issue.id) ||
        ineligibleReason(issue, config.tracker) !== undefined
      )
        continue;
      const executor = slots.isFull ? undefined : this.#core.machineFor(issue.id);
      if (executor && slots.take(issue.state)) {
        this.#core.dispatch(issue, { attempt: 0, executor });
        begun++;
      } else left.push(issue);
    }
    return { begun, left };
  }

  #runningStates(): string[] {
    return [...this.#core.options.ledger.running.values()].map(({ run }) => run.state.issue.state);
  }
}
