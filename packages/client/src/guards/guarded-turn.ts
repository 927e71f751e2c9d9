import type { TurnEvent } from "../turn/turn-event.ts";
import type { TurnHandle } from "../turn/turn-handle.ts";
import type { TurnInput } from "../turn/turn-input.ts";
import type { TurnResult } from "../turn/turn-result.ts";
import type { TokenUsage } from "./token-usage.ts";

/** The result of a guarded turn. */
export interface GuardedResult<Output = undefined> extends TurnResult<Output> {
  /** The turn's tokens; undefined where the server did not report any. */
  readonly turnUsage: TokenUsage | undefined;
  /** The turn's cost in US dollars; undefined where usage or prices are not known. */
  readonly cost: number | undefined;
}

/** A turn that was started; in an object, since a promise would wait for the turn itself. */
export interface StartedTurn<Output> {
  readonly turn: TurnHandle<Output>;
}

/** A turn with hooks, guardrails and a budget. Iterate it or await it, as a turn of the client. */
export class GuardedTurn<Output = undefined> implements AsyncIterable<TurnEvent>, PromiseLike<GuardedResult<Output>> {
  readonly #started: Promise<StartedTurn<Output>>;
  readonly #result: Promise<GuardedResult<Output>>;

  /** @internal Made by a guarded thread. */
  constructor(started: Promise<StartedTurn<Output>>, result: Promise<GuardedResult<Output>>) {
    this.#started = started;
    this.#result = result;
    started.catch(() => undefined);
    result.catch(() => undefined);
  }

  /** The id that the server gave the turn, once it has accepted it. */
  get id(): Promise<string> {
    return this.#started.then(({ turn }) => turn.id);
  }

  /** Adds input to the turn while it runs. Guardrails do not see it. */
  async steer(input: TurnInput): Promise<void> {
    await (await this.#started).turn.steer(input);
  }

  /** Asks the server to stop; resolves when the turn has ended. */
  async interrupt(): Promise<void> {
    await (await this.#started).turn.interrupt();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent, undefined> {
    const { turn } = await this.#started;
    yield* turn;
    const { status } = await turn;
    // A guardrail may stop the last item only after the turn has ended.
    if (status === "completed") await this.#result;
    return undefined;
  }

  // biome-ignore lint/suspicious/noThenProperty: the handle is awaitable by design.
  then<A = GuardedResult<Output>, B = never>(
    onFulfilled?: ((result: GuardedResult<Output>) => A | PromiseLike<A>) | null,
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(onFulfilled, onRejected);
  }

  /** As with any promise. */
  catch<B = never>(onRejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<GuardedResult<Output> | B> {
    return this.#result.catch(onRejected);
  }

  /** As with any promise. */
  finally(onFinally?: (() => void) | null): Promise<GuardedResult<Output>> {
    return this.#result.finally(onFinally);
  }
}
