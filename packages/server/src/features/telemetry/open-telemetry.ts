import type { ServerNotifications } from "@quire/protocol";
import type { ModelCall } from "../../thread/model-call.ts";
import type { Observer } from "../../thread/observer.ts";
import type { Thread } from "../../thread/thread.ts";

/** Observes a thread if `[otel]` says so. The exporters are loaded with the first one, and shared by the server. */
export function openTelemetry(thread: Thread): void {
  const { otel } = thread.config.raw;
  if (otel === undefined) return;
  // Events from before everything is loaded are reported afterwards, with their time.
  const early: ((to: Observer) => void)[] = [];
  thread.observer = Object.assign(
    <M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]) =>
      void early.push((to) => to(method, params)),
    { model: (call: ModelCall) => void early.push((to) => to.model?.(call)) },
  );
  import("./thread-telemetry.ts").then(
    ({ observeThread }) => {
      const observer = observeThread(thread, otel);
      thread.observer = observer;
      if (observer) for (const tell of early) tell(observer);
    },
    (error: unknown) => {
      thread.observer = undefined;
      thread.core.server.log.error("telemetry cannot be loaded", error);
    },
  );
}
