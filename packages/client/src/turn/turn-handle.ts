import type { TurnResult } from "./turn-result.ts";
import { TurnStream } from "./turn-stream.ts";

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
 *
 * An async function that returns it awaits it, as it does with every promise. Return a {@link TurnStream} instead.
 */
export class TurnHandle<Output = undefined, Result = TurnResult<Output>>
  extends TurnStream<Result>
  implements PromiseLike<Result>
{
  // biome-ignore lint/suspicious/noThenProperty: the handle is awaitable by design.
  then<A = Result, B = never>(
    onFulfilled?: ((result: Result) => A | PromiseLike<A>) | null,
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.result.then(onFulfilled, onRejected);
  }

  /** As with any promise. */
  catch<B = never>(onRejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Result | B> {
    return this.result.catch(onRejected);
  }

  /** As with any promise. */
  finally(onFinally?: (() => void) | null): Promise<Result> {
    return this.result.finally(onFinally);
  }
}
