/** An action to run in its turn, and the size of its message. */
interface Entry {
  readonly run: () => void;
  readonly size: number;
  readonly due: number;
}

/**
 * A direction of a transport as a queue: entries leave in order, none before it is due, and none while the lane is
 * held.
 */
export class Lane {
  #entries: Entry[] = [];
  /** The first entry that has not left: taking entries off the front of an array would be slow for long queues. */
  #head = 0;
  #pumping = false;
  #size = 0;
  #lastDue = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #holds = new Set<string>();
  #waiting: (() => void)[] = [];

  /** Amount queued here. */
  get size(): number {
    return this.#size;
  }

  /** Adds an entry that may leave after `delayMs`, and after all before it. */
  push(run: () => void, size = 0, delayMs = 0): void {
    this.#lastDue = Math.max(this.#lastDue, performance.now() + delayMs);
    this.#entries.push({ run, size, due: delayMs > 0 ? this.#lastDue : 0 });
    this.#size += size;
    this.#pump();
  }

  /** Lets nothing leave until the same reason is released. Reasons do not cancel each other. */
  hold(reason: string): void {
    this.#holds.add(reason);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Takes one hold away. */
  release(reason: string): void {
    this.#holds.delete(reason);
    this.#pump();
  }

  /** Resolves when nothing waits here. */
  empty(): Promise<void> {
    if (this.#head === this.#entries.length) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Drops all that waits. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reset();
  }

  /** An entry that leads to another, by an answer say, must not let that one overtake those in between. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#step());
    } finally {
      this.#pumping = false;
    }
  }

  /** Lets the first entry leave, or says that it cannot. */
  #step(): boolean {
    const first = this.#entries[this.#head];
    if (!first) this.#reset();
    if (!first || this.#holds.size > 0 || this.#timer !== undefined) return false;
    const remaining = first.due - performance.now();
    if (remaining > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#pump();
      }, remaining);
      return false;
    }
    this.#head++;
    this.#size -= first.size;
    first.run();
    return true;
  }

  #reset(): void {
    this.#entries = [];
    this.#head = 0;
    this.#size = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
