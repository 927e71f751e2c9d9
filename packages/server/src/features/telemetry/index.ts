import type { Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import { openTelemetry } from "./open-telemetry.ts";

/** Sends collectors what happens on a thread, where `[otel]` says so. */
export const telemetry: Feature<Thread> = { open: openTelemetry };
