import type { ThreadExtension } from "../../thread/extension.ts";
import type { Thread } from "../../thread/thread.ts";
import { openTelemetry } from "./open-telemetry.ts";

/** Tells collectors what happens on a thread, where `[otel]` says so. */
export function telemetry(thread: Thread): ThreadExtension | undefined {
  openTelemetry(thread);
  return undefined;
}
