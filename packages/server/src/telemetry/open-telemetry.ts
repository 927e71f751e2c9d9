import type { Thread } from "../thread/thread.ts";
import type { ThreadTelemetry } from "./thread-telemetry.ts";

/**
 * The telemetry of a thread; `undefined` where none is configured, which is most often so and costs nothing. What sends
 * it is loaded with the first thread that has some, and is one for the server.
 */
export function openTelemetry(thread: Thread): Promise<ThreadTelemetry> | undefined {
  const { otel } = thread.config.raw;
  if (otel === undefined) return undefined;
  const { core } = thread;
  const { server } = core;
  server.telemetry ??= Promise.all([import("./settings.ts"), import("./telemetry.ts")]).then(
    ([{ readTelemetry }, { Telemetry }]) => {
      const settings = readTelemetry(otel);
      if (!settings) return undefined;
      const telemetry = new Telemetry(settings, server.log);
      core.onClose(() => telemetry.close());
      return telemetry;
    },
  );
  const opened = Promise.all([server.telemetry, import("./thread-telemetry.ts")]);
  // Where nothing is exported after all, nobody is ever told of anything.
  return opened.then(([telemetry, { ThreadTelemetry }]) =>
    telemetry ? new ThreadTelemetry(thread, telemetry) : new Promise<never>(() => undefined),
  );
}
