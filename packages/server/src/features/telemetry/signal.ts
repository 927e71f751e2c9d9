/** A kind of telemetry. */
export type Signal = "logs" | "traces" | "metrics";
