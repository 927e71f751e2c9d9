/** Something that a careful user should know of, though all goes on. */
export interface ClientWarning {
  /** What it is about, for programs. */
  readonly code: "declined" | "malformed" | "invalid-message" | "reconnecting" | "handler-failed";
  /** What happened and what to do, for people. */
  readonly message: string;
  readonly details?: unknown;
}
