import type { Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import { openTelemetry } from "./open-telemetry.ts";

/** Sends a thread's events to collectors, if `[otel]` says so. */
export const telemetry: Feature<Thread> = { open: openTelemetry };
