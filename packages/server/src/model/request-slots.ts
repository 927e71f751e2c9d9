/** Requests that the runtime sends at once, for fetches of any kind; more wait within it, unseen. */
const runtimeLimit = Number(process.env.BUN_CONFIG_MAX_HTTP_REQUESTS) || 256;

/** Model requests at once. An eighth is left to logins, MCP servers and the like. */
export const maxModelRequests: number = Math.max(1, runtimeLimit - Math.ceil(runtimeLimit / 8));

/** Lets a bounded number of requests run; others wait in order of arrival, where nothing counts as their silence. */
export class RequestSlots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(max: number) {
    this.#free = max;
  }

  /** Takes a slot, and returns the function that gives it back, once. Rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    return () => this.#giveBack();
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(onTurn);
        reject(signal.reason);
      };
      const onTurn = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      this.#waiting.add(onTurn);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/** The slots of the process, as the runtime's limit is. */
export const modelSlots: RequestSlots = new RequestSlots(maxModelRequests);
