import type { LogFields, Logger } from "../events/events.ts";
import { toRunError } from "../events/run-error.ts";
import type { Clock } from "../lib/clock.ts";

/** Pause before the same is told again. */
const quietMs = 600_000;

/** Tells of writes that fail, each kind once in ten minutes: on a full disk hundreds of runs would tell it every second. */
export class SaveNotices {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #told = new Map<string, number>();

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** @param what What could not be saved: `the run's progress`. */
  failed(what: string, error: unknown, fields: LogFields = {}): void {
    const now = this.#clock.elapsed();
    if (now - (this.#told.get(what) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    this.#told.set(what, now);
    this.#log("error", `could not save ${what}: ${toRunError(error).message}`, fields);
  }
}
