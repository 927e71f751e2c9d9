/** What is sent. */
export type Signal = "logs" | "traces" | "metrics";
