/** Producers waiting for room in a transport. */
export class DrainQueue {
  readonly #hasRoom: () => boolean;
  #waiting: (() => void)[] = [];

  constructor(hasRoom: () => boolean) {
    this.#hasRoom = hasRoom;
  }

  /** Resolves when there is room. */
  wait(): Promise<void> {
    if (this.#hasRoom()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Releases all when there is room. To be called whenever something has left. */
  release(): void {
    if (this.#waiting.length === 0 || !this.#hasRoom()) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
