import type { ProviderConfig } from "../../config/effective-config.ts";
import { backoffMs, type Clock, pause } from "../clock.ts";
import { Failure } from "../failure.ts";
import type { ModelResult, ModelSink } from "../model-provider.ts";

/** Surroundings of attempts that may fail. */
interface RetryContext {
  readonly config: Pick<ProviderConfig, "requestMaxRetries" | "streamMaxRetries">;
  readonly clock: Clock;
  readonly sink: ModelSink;
  readonly signal: AbortSignal;
}

/** Attempts a response until it is complete. Rejects with the last attempt's error when retrying is of no use. */
export async function withRetries(once: () => Promise<ModelResult>, context: RetryContext): Promise<ModelResult> {
  const { config, clock, sink, signal } = context;
  for (let retries = 0; ; ) {
    try {
      return await retryRequest(once, context);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const again = error.retry === "stream" || error.retry === "both";
      if (!again || retries >= config.streamMaxRetries) throw error.toModelError();
      retries++;
      sink.retrying(error.toRetryNotice(retries, config.streamMaxRetries), retries, config.streamMaxRetries);
      await pause(clock, error.waitMs ?? backoffMs(clock, retries), signal);
    }
  }
}

/** Retries a request that failed before any event came. */
async function retryRequest(once: () => Promise<ModelResult>, context: RetryContext): Promise<ModelResult> {
  const { config, clock, signal } = context;
  for (let retries = 0; ; ) {
    try {
      return await once();
    } catch (error) {
      const again = error instanceof Failure && (error.retry === "request" || error.retry === "both");
      if (!again || retries >= config.requestMaxRetries) throw error;
      retries++;
      await pause(clock, error.waitMs ?? backoffMs(clock, retries), signal);
    }
  }
}
