import { AgentError } from "../lib/agent-error.ts";

/** A workspace could not be made. Nothing of it is left. */
export class WorkspaceError extends AgentError {
  override readonly name: string = "WorkspaceError";
}

/** A host path is not there. */
export class WorkspaceNotFoundError extends WorkspaceError {
  override readonly name: string = "WorkspaceNotFoundError";
  readonly hostPath: string;

  constructor(hostPath: string, options?: ErrorOptions) {
    super(`There is nothing at ${hostPath}: check the mount's hostPath`, options);
    this.hostPath = hostPath;
  }
}

/** A mount reaches beyond what is allowed. */
export class WorkspaceSecurityError extends WorkspaceError {
  override readonly name: string = "WorkspaceSecurityError";
}

/** A mount has more bytes than allowed. */
export class WorkspaceBudgetExceededError extends WorkspaceError {
  override readonly name: string = "WorkspaceBudgetExceededError";
  /** The size so far, counted up to the failure. */
  readonly bytes: number;
  readonly maxBytes: number;

  constructor(what: string, bytes: number, maxBytes: number) {
    super(`${what} needs at least ${bytes} bytes, and ${maxBytes} are allowed: raise the limit, or exclude files`);
    this.bytes = bytes;
    this.maxBytes = maxBytes;
  }
}
