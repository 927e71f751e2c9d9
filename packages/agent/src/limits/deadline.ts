import { AgentError } from "../lib/agent-error.ts";
import { type Clock, systemClock } from "../lib/clock.ts";

/** Options of a {@link Deadline}. */
export interface DeadlineOptions {
  /** Default: the machine's own. */
  readonly clock?: Clock | undefined;
}

/** A moment by which an evaluation must have ended. Several evaluations may share one. */
export class Deadline {
  /** When it was set. */
  readonly startedAt: Date;
  /** When time is up. */
  readonly expiresAt: Date;
  /** Its source of time. */
  readonly clock: Clock;

  private constructor(expiresAtMs: number, clock: Clock) {
    const now = clock.now();
    if (!(expiresAtMs > now)) throw new AgentError("A deadline must be a valid time that lies ahead");
    this.clock = clock;
    this.startedAt = new Date(now);
    this.expiresAt = new Date(expiresAtMs);
    Object.freeze(this);
  }

  /** A deadline so many milliseconds from now. */
  static in(ms: number, { clock = systemClock }: DeadlineOptions = {}): Deadline {
    return new Deadline(clock.now() + ms, clock);
  }

  /** A deadline at a point in time, whatever the time zone it was written in. */
  static at(time: Date, { clock = systemClock }: DeadlineOptions = {}): Deadline {
    return new Deadline(time.getTime(), clock);
  }

  /** The time left, in milliseconds; negative when time is up. */
  get remainingMs(): number {
    return this.expiresAt.getTime() - this.clock.now();
  }

  /** The time since it was set, in milliseconds. */
  get elapsedMs(): number {
    return this.clock.now() - this.startedAt.getTime();
  }

  /** True when time is up. */
  get expired(): boolean {
    return this.remainingMs <= 0;
  }
}
