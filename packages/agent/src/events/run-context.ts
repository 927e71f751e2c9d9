/** Ids of the larger system that an evaluation belongs to, copied into every event. */
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
