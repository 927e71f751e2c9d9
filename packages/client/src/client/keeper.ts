/** The pause after the last call in which the process stays anyway, so that calls in a row cost nothing more. */
const pauseMs = 20;

/** The reasons for which the process must stay though nothing else keeps it: pending calls, running turns, listeners. */
export class Keeper {
  readonly #keepAlive: (on: boolean) => void;
  #holds = 0;
  #released = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param keepAlive Says to the connection whether it keeps the process. */
  constructor(keepAlive: (on: boolean) => void) {
    this.#keepAlive = keepAlive;
  }

  /** Keeps the process until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    if (this.#released) this.#set(true);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--this.#holds === 0) this.#timer ??= setTimeout(this.#look, pauseMs);
    };
  }

  /** Holds until a promise has settled. */
  async during<T>(promise: Promise<T>): Promise<T> {
    const release = this.hold();
    // Awaited, and not only listened to: an error's stack follows awaits back to the caller.
    try {
      return await promise;
    } finally {
      release();
    }
  }

  /** Tells a new connection what it is to do. */
  renew(): void {
    this.#keepAlive(!this.#released);
  }

  /** Ends the pause. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #look = (): void => {
    this.#timer = undefined;
    if (this.#holds === 0) this.#set(false);
  };

  #set(on: boolean): void {
    this.#released = !on;
    this.#keepAlive(on);
  }
}
