/** Reasons for which a workspace is refused. */
export type WorkspaceErrorCode =
  /** The folder cannot be made; a full disk, for example. */
  | "workspace_create_failed"
  /** It cannot be removed. */
  | "workspace_remove_failed"
  /** It holds work that is nowhere else. */
  | "workspace_kept"
  /** It is not inside the root, or is no folder. */
  | "invalid_workspace_cwd"
  /** Somebody else could change the root, or what is in it. */
  | "unsafe_workspace_root"
  /** A hook ended with an error. */
  | "hook_failed"
  /** Its machine cannot be reached any more. */
  | "host_lost"
  /** A hook took too long and was ended. */
  | "hook_timeout";

/** A workspace that cannot be used. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
  readonly code: WorkspaceErrorCode;

  constructor(code: WorkspaceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
