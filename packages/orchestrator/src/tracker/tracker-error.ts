/** Reasons for which a tracker fails. */
export type TrackerErrorCode =
  /** No adapter has this `tracker.kind`. */
  | "unsupported_tracker_kind"
  /** A setting of the tracker is missing or wrong. */
  | "invalid_tracker_config"
  /** A secret is not set, or empty. */
  | "missing_tracker_secret"
  /** The request did not get through. */
  | "tracker_request"
  /** The tracker answered with a status that is no success. */
  | "tracker_status"
  /** The answer cannot be understood. */
  | "tracker_response"
  /** The pages of an answer do not fit together. */
  | "tracker_pagination"
  /** Too many requests; see {@link TrackerError.retryAfterMs}. */
  | "tracker_rate_limited";

/** More on a {@link TrackerError}. */
export interface TrackerErrorDetails {
  /** Of `tracker_status`: the status. */
  readonly status?: number | undefined;
  /** Of `tracker_rate_limited`: when to try again, if the tracker said so. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A tracker that could not be used or asked. Its message never holds a secret. */
export class TrackerError extends Error {
  override readonly name = "TrackerError";
  readonly code: TrackerErrorCode;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: TrackerErrorCode, message: string, details: TrackerErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}
