import type { Clock } from "@quire/agent/runtime";
import type { RetryClaim } from "./claim.ts";

/** Issues that wait for their next run. One timer serves them all; a new entry of an issue takes the place of its old one. */
export class RetryQueue {
  readonly #clock: Clock;
  readonly #fire: () => void;
  readonly #entries = new Map<string, RetryClaim>();
  #cancelTimer: (() => void) | undefined;
  #armedFor = Number.POSITIVE_INFINITY;
  #stopped = false;

  /** @param fire Called when something is due. */
  constructor(clock: Clock, fire: () => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(issueId: string): boolean {
    return this.#entries.has(issueId);
  }

  get(issueId: string): RetryClaim | undefined {
    return this.#entries.get(issueId);
  }

  values(): IterableIterator<RetryClaim> {
    return this.#entries.values();
  }

  set(claim: RetryClaim): void {
    this.#entries.set(claim.issue.id, claim);
    this.#arm(claim.dueAt);
  }

  delete(issueId: string): void {
    this.#entries.delete(issueId);
  }

  /** Retries due now. Each stays in the queue until it is set again or deleted. */
  due(): RetryClaim[] {
    const now = this.#clock.now();
    return [...this.#entries.values()].filter(({ dueAt }) => dueAt <= now);
  }

  /** Makes all entries due now; returns whether there are any. */
  makeDue(which: (claim: RetryClaim) => boolean): boolean {
    const now = this.#clock.now();
    let any = false;
    for (const [id, claim] of this.#entries) {
      if (!which(claim)) continue;
      any = true;
      if (claim.dueAt > now) this.#entries.set(id, { ...claim, dueAt: now });
    }
    return any;
  }

  /** Sets the timer for what comes next; to be called after what was due has been dealt with. */
  rearm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#armedFor = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#entries.values()) next = Math.min(next, dueAt);
    this.#arm(next);
  }

  /** Nothing fires any more. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  #arm(dueAt: number): void {
    if (this.#stopped || dueAt >= this.#armedFor) return;
    this.#cancelTimer?.();
    this.#armedFor = dueAt;
    this.#cancelTimer = this.#clock.setTimeout(
      () => {
        this.#armedFor = Number.POSITIVE_INFINITY;
        this.#cancelTimer = undefined;
        this.#fire();
      },
      Math.max(0, dueAt - this.#clock.now()),
    );
  }
}
