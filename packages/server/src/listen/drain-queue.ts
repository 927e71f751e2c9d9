/** Those who wait until a transport has room for more. */
export class DrainQueue {
  readonly #hasRoom: () => boolean;
  #waiting: (() => void)[] = [];

  constructor(hasRoom: () => boolean) {
    this.#hasRoom = hasRoom;
  }

  /** Resolves when there is room, at once where there is. */
  wait(): Promise<void> {
    if (this.#hasRoom()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets go of all of them, if there is room now. To be called whenever something has left. */
  release(): void {
    if (this.#waiting.length === 0 || !this.#hasRoom()) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
