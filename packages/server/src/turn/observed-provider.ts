import { ModelError, type ModelProvider } from "../model/model-provider.ts";
import type { ModelCall } from "../thread/model-call.ts";
import type { Thread } from "../thread/thread.ts";
import { providerOf } from "./provider-of.ts";
import type { ModelRole } from "./route.ts";

/** The provider of a thread. Each request that ends is reported to the thread's observer, if it has one. */
export function observedProvider(thread: Thread, role?: ModelRole): ModelProvider {
  const provider = providerOf(thread, role);
  if (!thread.observer) return provider;
  return {
    id: provider.id,
    async stream(request, sink, signal) {
      const startMs = Date.now();
      const ended = (usage: ModelCall["usage"], failure: string | null) =>
        thread.observer?.model?.({ turnId: request.turnId, startMs, endMs: Date.now(), usage, failure });
      try {
        const result = await provider.stream(request, sink, signal);
        ended(result.usage, null);
        return result;
      } catch (error) {
        ended(null, signal.aborted ? "interrupted" : kindOf(error));
        throw error;
      }
    },
  };
}

/** The kind of a failure: its message may quote the request. */
function kindOf(error: unknown): string {
  const info = error instanceof ModelError ? error.info : "other";
  return typeof info === "string" ? info : (Object.keys(info)[0] ?? "other");
}
