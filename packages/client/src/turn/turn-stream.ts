import type { TurnEvent } from "./turn-event.ts";
import { TurnEvents } from "./turn-events.ts";
import type { TurnInput } from "./turn-input.ts";
import type { TurnLog } from "./turn-log.ts";

/** The calls that a handle makes for its turn. */
export interface TurnControls {
  steer(log: TurnLog, input: TurnInput): Promise<void>;
  interrupt(log: TurnLog): Promise<void>;
}

/** The parts that a handle is made of. */
export interface TurnParts<Result> {
  readonly log: Promise<TurnLog>;
  readonly result: Promise<Result>;
  readonly controls: TurnControls;
}

/**
 * A turn under way that is no promise: an async function can return it. Iterate it for its events, from the first on;
 * `result` is what it comes to.
 */
export class TurnStream<Result> implements AsyncIterable<TurnEvent> {
  readonly #log: Promise<TurnLog>;
  readonly #controls: TurnControls;
  /** The result of the turn, once it has ended. Rejects when it failed. */
  readonly result: Promise<Result>;

  /** @internal Made by a thread. */
  constructor({ log, result, controls }: TurnParts<Result>) {
    this.#log = log;
    this.result = result;
    this.#controls = controls;
    // Iterating shows a failure too: it must not count as unhandled as well.
    log.catch(() => undefined);
    result.catch(() => undefined);
  }

  /** The id that the server gave the turn, once it has accepted it. */
  get id(): Promise<string> {
    return this.#log.then((log) => log.id);
  }

  /** Adds input to the turn while it runs. */
  async steer(input: TurnInput): Promise<void> {
    await this.#controls.steer(await this.#log, input);
  }

  /** Asks the server to stop; resolves when the turn has ended. A turn that has ended already is left as it is. */
  async interrupt(): Promise<void> {
    const log = await this.#log;
    if (log.ended) return;
    await this.#controls.interrupt(log);
    await log.end();
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<TurnEvent> {
    return new TurnEvents(this.#log, this.result);
  }
}
