import type { TurnEvent } from "./turn-event.ts";
import { TurnEvents } from "./turn-events.ts";
import type { TurnInput } from "./turn-input.ts";
import type { TurnLog } from "./turn-log.ts";
import type { TurnResult } from "./turn-result.ts";

/** The calls that a handle makes for its turn. */
export interface TurnControls {
  steer(log: TurnLog, input: TurnInput): Promise<void>;
  interrupt(log: TurnLog): Promise<void>;
}

/**
 * A turn under way: iterate it for its events, by as many consumers as one likes, each from the first event on; await
 * it for its result.
 *
 * ```ts
 * const turn = thread.run("Fix the failing test");
 * for await (const event of turn) if (event.type === "agentMessage.delta") process.stdout.write(event.delta);
 * const { agentMessage, items, diff, usage } = await turn;
 * ```
 *
 * A turn that failed throws its `TurnError` out of both, out of a `for await` after the last event. Awaiting rejects with
 * a `ConnectionError` when the end cannot be known, and with the signal's reason when the turn was aborted. A turn that was interrupted resolves with `status: "interrupted"`,
 * or rejects with an `OutputError` if it was asked for an output.
 */
export class TurnHandle<Output = undefined> implements AsyncIterable<TurnEvent>, PromiseLike<TurnResult<Output>> {
  readonly #log: Promise<TurnLog>;
  readonly #result: Promise<TurnResult<Output>>;
  readonly #controls: TurnControls;

  /** @internal Made by a thread. */
  constructor(log: Promise<TurnLog>, result: Promise<TurnResult<Output>>, controls: TurnControls) {
    this.#log = log;
    this.#result = result;
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
    return new TurnEvents(this.#log, this.#result);
  }

  // biome-ignore lint/suspicious/noThenProperty: the handle is awaitable by design.
  then<A = TurnResult<Output>, B = never>(
    onFulfilled?: ((result: TurnResult<Output>) => A | PromiseLike<A>) | null,
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(onFulfilled, onRejected);
  }

  /** As with any promise. */
  catch<B = never>(onRejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<TurnResult<Output> | B> {
    return this.#result.catch(onRejected);
  }

  /** As with any promise. */
  finally(onFinally?: (() => void) | null): Promise<TurnResult<Output>> {
    return this.#result.finally(onFinally);
  }
}
