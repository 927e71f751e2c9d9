import { AgentError } from "../lib/agent-error.ts";

/** A value is not the record that it should be. */
export class RecordError extends AgentError {
  override readonly name: string = "RecordError";
}

/** A session cannot be written down: it holds what JSON cannot. */
export class SnapshotError extends AgentError {
  override readonly name: string = "SnapshotError";
}

/** A session cannot take up a snapshot: it is of another version or shape, or of types that the session does not know. */
export class SnapshotRestoreError extends AgentError {
  override readonly name: string = "SnapshotRestoreError";
}
