/** Where an evaluation belongs in a larger system. It is copied into every event. */
export interface RunContext {
  readonly runId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly workerId?: string | undefined;
  /** Counts from 1. */
  readonly attempt?: number | undefined;
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
}
