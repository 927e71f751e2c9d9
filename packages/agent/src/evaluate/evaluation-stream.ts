import { AgentError } from "../lib/agent-error.ts";
import { EventBuffer } from "../lib/event-buffer.ts";
import { joinedSignal } from "../lib/joined-signal.ts";
import type { Evaluation } from "./evaluation.ts";
import type { EvaluationEvent } from "./evaluation-event.ts";

/** Runs an evaluation that reports its events and ends early when the signal aborts. */
type RunStreamed<Output> = (emit: (event: EvaluationEvent) => void, signal: AbortSignal) => Promise<Evaluation<Output>>;

/**
 * An evaluation under way: iterate it for its events, and await `result` for what `evaluate()` would have returned.
 *
 * ```ts
 * const stream = agent.stream(bound, { session });
 * for await (const event of stream) if (event.type === "agentMessage.delta") process.stdout.write(event.delta);
 * const { output, usage } = await stream.result;
 * ```
 *
 * Each loop starts with the first event. If the evaluation fails, the loop throws its error after the last event, and
 * `result` rejects with it. Leaving a loop early does not stop the evaluation: call {@link abort}, or hold the stream by
 * `await using`, which aborts it and waits until its server is gone.
 */
export class EvaluationStream<Output = null> implements AsyncIterable<EvaluationEvent>, AsyncDisposable {
  /** The result, once the evaluation has ended. */
  readonly result: Promise<Evaluation<Output>>;
  readonly #events = new EventBuffer<EvaluationEvent>();
  readonly #stop = new AbortController();

  /** @internal Made by `agent.stream()`. */
  constructor(run: RunStreamed<Output>, signal: AbortSignal | undefined) {
    const joined = joinedSignal(signal ? [signal, this.#stop.signal] : [this.#stop.signal]);
    this.result = run((event) => this.#events.push(event), joined.signal).finally(joined.release);
    this.result.then(
      () => this.#events.end(),
      (failure: unknown) => this.#events.end({ failure }),
    );
  }

  /** Interrupts the turn. `result` rejects with the reason once the server has ended it. */
  abort(reason: unknown = new AgentError("The evaluation was aborted")): void {
    this.#stop.abort(reason);
  }

  [Symbol.asyncIterator](): AsyncGenerator<EvaluationEvent, undefined> {
    return this.#events.read();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.abort();
    await this.result.catch(() => undefined);
  }
}
