/** The calls that a feedback provider has seen. */
export interface FeedbackCount {
  calls: number;
  /** Calls and time when it was last due. */
  lastCalls: number;
  lastMs: number | undefined;
  readonly seenFiles: Set<string>;
}
