/** Something that a careful user should know of, though nothing stopped. */
export interface ClientWarning {
  /** The kind of warning, for programs. */
  readonly code: "declined" | "malformed" | "invalid-message" | "reconnecting" | "handler-failed";
  /** The event and its remedy, for people. */
  readonly message: string;
  readonly details?: unknown;
}
