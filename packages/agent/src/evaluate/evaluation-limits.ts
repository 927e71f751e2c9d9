import { AgentError } from "../lib/agent-error.ts";
import type { Deadline } from "../limits/deadline.ts";

/** Why an evaluation is made to end early. */
export type StopReason =
  | { readonly kind: "deadline" }
  | { readonly kind: "abort"; readonly reason: unknown }
  | { readonly kind: "budget"; readonly error: unknown }
  /** A hook threw, or a guardrail had a reason. */
  | { readonly kind: "rule"; readonly error: unknown }
  /** A tool asked for more of the prompt. */
  | { readonly kind: "expansion" };

/** Limits of an evaluation. */
export interface LimitOptions {
  readonly deadline: Deadline | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Everything that can make an evaluation end early, as one signal. The first reason counts. The caller disposes of
 * it, which ends its timer.
 */
export class EvaluationLimits implements Disposable {
  readonly #stop = new AbortController();
  readonly #handlers = new AbortController();
  readonly #undo: (() => void)[] = [];
  #reason: StopReason | undefined;

  constructor({ deadline, signal }: LimitOptions) {
    if (deadline) {
      const expire = () => this.stop({ kind: "deadline" });
      if (deadline.expired) expire();
      else this.#undo.push(deadline.clock.setTimeout(expire, deadline.remainingMs));
    }
    if (signal) {
      const abort = () => this.stop({ kind: "abort", reason: signal.reason });
      if (signal.aborted) abort();
      else {
        signal.addEventListener("abort", abort, { once: true });
        this.#undo.push(() => signal.removeEventListener("abort", abort));
      }
    }
  }

  /** Aborted when the evaluation has to end early. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** For handlers of tools: aborted when the evaluation has to end early, and when it has ended. */
  get handlerSignal(): AbortSignal {
    return this.#handlers.signal;
  }

  /** Why it has to end; undefined while it has not. */
  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** Makes the evaluation end. */
  stop(reason: StopReason): void {
    if (this.#reason) return;
    this.#reason = reason;
    const why = reason.kind === "abort" ? reason.reason : new AgentError(`The evaluation was stopped: ${reason.kind}`);
    this.#stop.abort(why);
    // A tool that asked for more of the prompt is under way itself, and rolls back as it should.
    if (reason.kind !== "expansion") this.#handlers.abort(why);
  }

  /** The evaluation has ended, however it did. */
  end(): void {
    this.#handlers.abort(new AgentError("The evaluation has ended"));
  }

  /** The work, or a rejection as soon as the evaluation has to end. */
  async guard<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    if (signal.aborted) {
      work.catch(() => undefined);
      throw signal.reason;
    }
    let forget = () => {};
    const stopped = new Promise<never>((_resolve, reject) => {
      const abort = () => reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      forget = () => signal.removeEventListener("abort", abort);
    });
    try {
      return await Promise.race([work, stopped]);
    } finally {
      forget();
    }
  }

  [Symbol.dispose](): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}
