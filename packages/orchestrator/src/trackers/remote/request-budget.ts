import { TrackerError } from "../../tracker/tracker-error.ts";

const hourMs = 3_600_000;
/** The hour is counted in so many parts. */
const parts = 60;

/** Requests that a tracker may be sent in an hour. It is shared with people and other programs that use the same account. */
export class RequestBudget {
  readonly #name: string;
  readonly #limit: number;
  readonly #elapsed: () => number;
  readonly #spent: number[] = Array.from({ length: parts }, () => 0);
  #last: number;

  /** @param elapsed A time that nobody can set. */
  constructor(name: string, limit: number, elapsed: () => number = () => performance.now()) {
    this.#name = name;
    this.#limit = limit;
    this.#elapsed = elapsed;
    this.#last = this.#part();
  }

  /** Takes one request. Throws a `tracker_rate_limited` where the hour's are used up. */
  take(): void {
    this.#forget();
    if (this.#sum() >= this.#limit) {
      const waitMs = hourMs / parts;
      const remedy = "poll less often (polling.interval_ms), or raise tracker.provider.requests_per_hour";
      const message = `${this.#name} was sent ${this.#limit} requests within an hour: ${remedy}.`;
      throw new TrackerError("tracker_rate_limited", message, { retryAfterMs: waitMs });
    }
    const at = this.#part() % parts;
    this.#spent[at] = (this.#spent[at] ?? 0) + 1;
  }

  /** Gives one back: the tracker did not count it. */
  giveBack(): void {
    const at = this.#part() % parts;
    this.#spent[at] = Math.max(0, (this.#spent[at] ?? 0) - 1);
  }

  #sum(): number {
    return this.#spent.reduce((sum, count) => sum + count, 0);
  }

  #part(): number {
    return Math.floor(this.#elapsed() / (hourMs / parts));
  }

  /** Clears the parts that are an hour old. */
  #forget(): void {
    const now = this.#part();
    for (let part = Math.max(this.#last + 1, now - parts + 1); part <= now; part++) this.#spent[part % parts] = 0;
    this.#last = now;
  }
}
