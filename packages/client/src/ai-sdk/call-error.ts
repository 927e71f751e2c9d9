import { ConnectionError, RpcError } from "@quire/jsonrpc";
import {
  type CodexErrorInfo,
  codexErrorHttpStatus,
  codexErrorKind,
  isOverloaded,
  type ThreadItem,
} from "@quire/protocol";
import { TurnError } from "../turn/turn-error.ts";

/** Makes an error known to the AI SDK, which tells its errors by markers, whichever copy of it made them. */
export function markAsSdkError<E extends Error>(error: E, name: string): E {
  for (const marker of ["vercel.ai.error", `vercel.ai.error.${name}`])
    Object.defineProperty(error, Symbol.for(marker), { value: true });
  return error;
}

interface CallErrorOptions {
  readonly statusCode?: number | undefined;
  readonly isRetryable: boolean;
  readonly data?: unknown;
  readonly cause: unknown;
}

/**
 * A call that failed, in the form in which the AI SDK knows failures: `APICallError.isInstance(error)` holds for it.
 * `cause` is the client's own error.
 */
export class CodexCallError extends Error {
  override readonly name: string = "AI_APICallError";
  readonly url: string = "codex:turn/start";
  readonly requestBodyValues: unknown = {};
  /** The status of the model's endpoint, or the one that comes closest. */
  readonly statusCode: number | undefined;
  /** True when trying again may help and can do no harm: what has run commands is not repeated. */
  readonly isRetryable: boolean;
  /** For a failed turn: `codexErrorInfo` and `additionalDetails`. */
  readonly data: unknown;

  constructor(message: string, { statusCode, isRetryable, data, cause }: CallErrorOptions) {
    super(message, { cause });
    this.statusCode = statusCode;
    this.isRetryable = isRetryable;
    this.data = data;
    markAsSdkError(this, "AI_APICallError");
  }
}

/** Statuses for failures that come without one. */
const statusOf: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    badRequest: 400,
    contextWindowExceeded: 400,
    unauthorized: 401,
    modelNotFound: 404,
    usageLimitExceeded: 429,
    rateLimitExceeded: 429,
    internalServerError: 500,
    serverOverloaded: 503,
  }),
);

const transient: ReadonlySet<string> = new Set([
  "rateLimitExceeded",
  "internalServerError",
  "serverOverloaded",
  "httpConnectionFailed",
  "responseStreamConnectionFailed",
  "responseStreamDisconnected",
  "responseTooManyFailedAttempts",
]);

/** Items that leave no trace in the world, so that a turn of only these can be run again. */
const harmless: ReadonlySet<ThreadItem["type"]> = new Set(["userMessage", "agentMessage", "reasoning", "plan"]);

/**
 * Makes of any failure one that the AI SDK understands. What it understands already is left as it is.
 *
 * @param isBeforeTurn Whether no turn was asked for yet. What was lost then did no work, so that it can be tried again.
 */
export function toCallError(error: unknown, isBeforeTurn = false): unknown {
  if (TurnError.is(error)) return fromTurn(error);
  if (RpcError.is(error)) {
    const isRetryable = isOverloaded(error);
    return new CodexCallError(error.message, { statusCode: isRetryable ? 503 : 400, isRetryable, cause: error });
  }
  if (ConnectionError.is(error)) {
    // A server that was gone before the call stays gone; one that was lost in the call may come back.
    const isLost = error.code === "closed" ? isBeforeTurn && error.mayHaveRun : isBeforeTurn || !error.mayHaveRun;
    const isRetryable = error.code !== "spawn-failed" && isLost;
    return new CodexCallError(error.message, { isRetryable, cause: error });
  }
  return error;
}

function fromTurn(error: TurnError): CodexCallError {
  const { message, codexErrorInfo, additionalDetails, result } = error;
  const kind = String(codexErrorKind(codexErrorInfo) ?? "");
  return new CodexCallError(message, {
    statusCode: codexErrorHttpStatus(codexErrorInfo as CodexErrorInfo) ?? statusOf.get(kind),
    isRetryable: transient.has(kind) && result.items.every(({ type }) => harmless.has(type)),
    data: { codexErrorInfo, additionalDetails },
    cause: error,
  });
}

/** Something in a prompt that Codex cannot take, as the AI SDK's `UnsupportedFunctionalityError`. */
export function unsupported(functionality: string, remedy: string): Error {
  const name = "AI_UnsupportedFunctionalityError";
  const error = new Error(`Codex does not take ${functionality}: ${remedy}`);
  return markAsSdkError(Object.assign(error, { name, functionality }), name);
}
