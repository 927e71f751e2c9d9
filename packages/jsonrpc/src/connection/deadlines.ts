/** Something that may expire. `deadline` is a `performance.now()` time, infinity for never. */
export interface Expiring {
  deadline: number;
}

/**
 * Many deadlines, one timer. A new deadline costs a comparison unless it is the earliest; one that is met costs nothing:
 * the timer, when it fires, looks at what is still pending.
 */
export class Deadlines<Entry extends Expiring> {
  readonly #pending: ReadonlyMap<unknown, Entry>;
  readonly #expired: (entry: Entry) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  /** @param pending Owned by the caller, who removes an entry that is settled or has expired. */
  constructor(pending: ReadonlyMap<unknown, Entry>, expired: (entry: Entry) => void) {
    this.#pending = pending;
    this.#expired = expired;
  }

  /** Sees to it that `entry.deadline` is watched. */
  watch(entry: Entry): void {
    if (entry.deadline < this.#timerAt) this.#arm(entry.deadline);
  }

  /** Lets the process end while nothing is pending; call it when the last entry is gone. */
  rest(): void {
    (this.#timer as { unref?: () => void } | undefined)?.unref?.();
  }

  /** Keeps the process alive while something is pending; call it when the first entry comes in. */
  wake(): void {
    (this.#timer as { ref?: () => void } | undefined)?.ref?.();
  }

  /** Stops the timer. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  #arm(at: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = at;
    // A timer holds at most 2^31-1 ms; a later deadline is found still ahead when it fires, and armed again.
    const delay = Math.min(Math.max(1, Math.ceil(at - performance.now())), 2 ** 31 - 1);
    this.#timer = setTimeout(() => this.#fire(), delay);
  }

  #fire(): void {
    this.clear();
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    const due: Entry[] = [];
    for (const entry of this.#pending.values()) {
      if (entry.deadline <= now) due.push(entry);
      else if (entry.deadline < next) next = entry.deadline;
    }
    if (next < Number.POSITIVE_INFINITY) this.#arm(next);
    // Several are due at once where the event loop was busy; they still expire in their order.
    due.sort((a, b) => a.deadline - b.deadline);
    for (const entry of due) this.#expired(entry);
  }
}
