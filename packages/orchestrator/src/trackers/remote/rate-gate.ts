import { TrackerError } from "../../tracker/tracker-error.ts";

/** Longest time a tracker may send us away, in milliseconds: a wrong clock must not close the gate for days. */
const longestWaitMs = 60 * 60_000;

/** Wait that is assumed where a tracker says only that it is too much. */
const unknownWaitMs = 60_000;

/**
 * Remembers that a tracker asked for patience. Until the time is over every request fails here, without one more call that
 * would count against the limit.
 */
export class RateGate {
  readonly #name: string;
  readonly #elapsed: () => number;
  #closedUntil = 0;

  /** @param elapsed A time that nobody can set. */
  constructor(name: string, elapsed: () => number = () => performance.now()) {
    this.#name = name;
    this.#elapsed = elapsed;
  }

  /** Throws `tracker_rate_limited` while the gate is closed. */
  check(): void {
    const left = this.#closedUntil - this.#elapsed();
    if (left > 0) throw this.#error(left);
  }

  /** Closes the gate and returns the error to throw. Without a time, a minute is waited. */
  close(waitMs: number | undefined): TrackerError {
    const wait = Math.min(Math.max(waitMs ?? unknownWaitMs, 1000), longestWaitMs);
    this.#closedUntil = Math.max(this.#closedUntil, this.#elapsed() + wait);
    return this.#error(this.#closedUntil - this.#elapsed());
  }

  /** Milliseconds from now to an instant that a header names, in seconds since 1970. */
  until(epochSeconds: number): number {
    return epochSeconds * 1000 - Date.now();
  }

  #error(waitMs: number): TrackerError {
    const seconds = Math.ceil(waitMs / 1000);
    const message = `${this.#name} limits our requests: next try in ${seconds} s. Poll less often (polling.interval_ms) if this recurs.`;
    return new TrackerError("tracker_rate_limited", message, { retryAfterMs: waitMs });
  }
}

/** A header that holds a number, or undefined. */
export function numberHeader(headers: Headers, name: string): number | undefined {
  const value = headers.get(name);
  if (value === null || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** `Retry-After` in milliseconds: seconds, or a date. */
export function retryAfterMs(headers: Headers, now: () => number = Date.now): number | undefined {
  const seconds = numberHeader(headers, "retry-after");
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(headers.get("retry-after") ?? "");
  return Number.isNaN(date) ? undefined : date - now();
}
