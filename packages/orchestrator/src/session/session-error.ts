import { ConnectionError, RpcError, TurnError } from "@quire/client";

/** Reasons for which a session with an app-server fails. */
export type SessionErrorCode =
  /** The command is not there. */
  | "codex_not_found"
  /** The workspace is not inside its root, or is no folder. */
  | "invalid_workspace_cwd"
  /** A request got no reply in time. */
  | "response_timeout"
  /** The app-server ended. */
  | "port_exit"
  /** A request was answered with an error, or not understandably. */
  | "response_error"
  /** Nothing happened in a turn for too long. */
  | "turn_timeout"
  /** A turn ended as failed. */
  | "turn_failed"
  /** A turn was interrupted by somebody else. */
  | "turn_cancelled"
  /** Only a person could answer what was asked. */
  | "turn_input_required"
  /** An approval was asked for, and the policy leaves it to a person. */
  | "approval_required";

/** A session that failed. */
export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly code: SessionErrorCode;
  /** The app-server's message, if it is the reason. */
  readonly payload: unknown;

  constructor(code: SessionErrorCode, message: string, options: ErrorOptions & { readonly payload?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.payload = options.payload;
  }
}

/** Remedies that the error itself cannot know. */
const hints: ReadonlyMap<SessionErrorCode, string> = new Map([
  ["codex_not_found", "; set codex.command to a command that serves the app-server protocol"],
  ["response_timeout", "; raise codex.read_timeout_ms if the app-server is only slow"],
  ["turn_timeout", "; raise codex.turn_timeout_ms if the agent is only slow"],
]);

/** A shell's exit code for a command that it did not find. */
const notFound = 127;

/** Names what went wrong. @param stage Whether a turn was under way, for silence means something else there. */
export function toSessionError(error: unknown, stage: "startup" | "turn"): SessionError {
  if (error instanceof SessionError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error, stage);
  const hint = hints.get(code) ?? "";
  const payload = RpcError.is(error) ? error.toErrorObject() : TurnError.is(error) ? error.result?.turn : undefined;
  return new SessionError(code, `${message}${hint}`, { cause: error, payload });
}

function codeOf(error: unknown, stage: "startup" | "turn"): SessionErrorCode {
  if (TurnError.is(error)) return "turn_failed";
  if (!ConnectionError.is(error)) return "response_error";
  switch (error.code) {
    case "spawn-failed":
      return "codex_not_found";
    case "timeout":
      return stage === "turn" ? "turn_timeout" : "response_timeout";
    case "closed":
      return stage === "startup" && error.exitCode === notFound ? "codex_not_found" : "port_exit";
    default:
      return "response_error";
  }
}
