import type { Clock } from "../lib/clock.ts";
import type { RetryClaim } from "../state/claim.ts";

interface Waiting {
  readonly claim: RetryClaim;
  /** In time that nobody can set. */
  readonly due: number;
}

/** Issues that wait for their next run. One timer serves them all; a new entry of an issue takes the place of its old one. */
export class RetryQueue {
  readonly #clock: Clock;
  readonly #fire: () => void;
  readonly #entries = new Map<string, Waiting>();
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
    return this.#entries.get(issueId)?.claim;
  }

  *values(): IterableIterator<RetryClaim> {
    for (const { claim } of this.#entries.values()) yield claim;
  }

  set(claim: RetryClaim): void {
    const due = this.#clock.elapsed() + Math.max(0, claim.dueAt - this.#clock.now());
    this.#entries.set(claim.issue.id, { claim, due });
    this.#arm(due);
  }

  delete(issueId: string): void {
    this.#entries.delete(issueId);
  }

  /** Retries due now. Each stays in the queue until it is set again or deleted. */
  due(): RetryClaim[] {
    const now = this.#clock.elapsed();
    return [...this.#entries.values()].filter(({ due }) => due <= now).map(({ claim }) => claim);
  }

  /** Makes entries due now. */
  makeDue(claims: readonly RetryClaim[]): void {
    for (const claim of claims) this.set({ ...claim, dueAt: Math.min(claim.dueAt, this.#clock.now()) });
  }

  /**
   * Sets the timer for what comes next; to be called after what was due has been dealt with.
   *
   * @param atLeastMs Pause before that, where something is still due that could not be dealt with.
   */
  rearm(atLeastMs = 0): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#armedFor = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of this.#entries.values()) next = Math.min(next, due);
    this.#arm(Math.max(next, this.#clock.elapsed() + atLeastMs));
  }

  /** Nothing fires any more. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  #arm(due: number): void {
    if (this.#stopped || due >= this.#armedFor) return;
    this.#cancelTimer?.();
    this.#armedFor = due;
    this.#cancelTimer = this.#clock.setTimeout(
      () => {
        this.#armedFor = Number.POSITIVE_INFINITY;
        this.#cancelTimer = undefined;
        this.#fire();
      },
      Math.max(0, due - this.#clock.elapsed()),
    );
  }
}
