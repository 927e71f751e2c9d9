/** Another orchestrator works with the same state. */
export class LockedError extends Error {
  override readonly name = "LockedError";
  readonly code = "already_running";
}

/** The state file could not be written. */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
  readonly code = "state_not_written";
}
