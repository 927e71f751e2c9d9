import type { EvaluationPhase } from "./evaluation-error.ts";

const phases: ReadonlyMap<string, EvaluationPhase> = new Map(
  Object.entries<EvaluationPhase>({
    httpConnectionFailed: "request",
    unauthorized: "request",
    badRequest: "request",
    responseTooManyFailedAttempts: "request",
    responseStreamConnectionFailed: "request",
    responseStreamDisconnected: "request",
    rateLimitExceeded: "request",
    flexUnavailable: "request",
    serverOverloaded: "request",
    modelNotFound: "request",
    policyCapacityUnavailable: "request",
    usageLimitExceeded: "budget",
    sessionBudgetExceeded: "budget",
    modelCap: "budget",
    sandboxError: "tool",
  }),
);

/**
 * The phase of a failed turn, from what the server says of the error: a word, an object with the word as its key, or an
 * object with the word under `type`. Codex calls a refused request and a stream that was cut `other`, too; their `message`
 * gives them away. Whatever is not known, and policy blocks, count as a bad response.
 */
export function phaseOfTurnError(info: unknown, message = ""): EvaluationPhase {
  const kind = kindOf(info);
  if (kind === "other" && isRequestFailure(message)) return "request";
  return kind !== undefined && phases.has(kind) ? (phases.get(kind) ?? "response") : "response";
}

/** True for the messages of Codex 0.98 to 0.169 on an HTTP status or a stream that ended early. */
function isRequestFailure(message: string): boolean {
  if (/^unexpected status \d{3}\b/.test(message)) return true;
  if (message.startsWith("stream disconnected before completion: "))
    return !message.includes("Incomplete response returned");
  return isJsonObject(message);
}

/** True for the body of HTTP 400, which Codex passes on as the message. */
function isJsonObject(message: string): boolean {
  if (!message.startsWith("{")) return false;
  try {
    return typeof JSON.parse(message) === "object";
  } catch {
    return false;
  }
}

function kindOf(info: unknown): string | undefined {
  if (typeof info === "string") return toCamel(info);
  if (typeof info !== "object" || info === null) return undefined;
  const { type } = info as { readonly type?: unknown };
  if (typeof type === "string") return toCamel(type);
  // A model's cap came as an object with members of its own in the oldest servers.
  if ("reset_after_seconds" in info) return "modelCap";
  const [key] = Object.keys(info);
  return key === undefined ? undefined : toCamel(key);
}

/** The oldest servers write `usage_limit_exceeded`. */
const toCamel = (word: string): string => word.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
