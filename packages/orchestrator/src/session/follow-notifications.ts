import type { CodexClient } from "@quire/client";
import type { RateLimitSnapshot } from "@quire/protocol";
import { describeNotification, oneLine } from "./describe.ts";
import type { SessionObserver } from "./observer.ts";
import { SessionError } from "./session-error.ts";
import type { TokenMeter } from "./token-meter.ts";

/** Receivers of notifications. */
export interface NotificationAudience {
  readonly observer: SessionObserver;
  readonly meter: TokenMeter;
  needPerson(error: SessionError): void;
}

/** Notifications by which some servers say that a turn waits for a person. */
const inputRequired: ReadonlySet<string> = new Set([
  "turn/input_required",
  "turn/inputRequired",
  "turn/needs_input",
  "turn/need_input",
  "turn/request_input",
  "turn/approval_required",
]);

/** Groups of methods that app-servers have; all else is logged as some other message. */
const knownGroups =
  /^(thread|turn|item|account|mcpServer|model|config|command|process|error|warning|fs|skills|app|hook|serverRequest)(\/|$)/;

/** Turns the notifications of a session into lines, tokens and limits. */
export function followNotifications(client: CodexClient, { observer, meter, needPerson }: NotificationAudience): void {
  client.on("notification", ({ method, params }) => {
    const { threadId, usage, rateLimits } = telemetryOf(method, params);
    if (usage) observer.usage(meter.take(threadId, usage));
    if (rateLimits) observer.rateLimits(rateLimits as RateLimitSnapshot);
    if (inputRequired.has(method)) {
      const code = method === "turn/approval_required" ? "approval_required" : "turn_input_required";
      observer.event(code, method, method);
      needPerson(new SessionError(code, `The agent is waiting for a person (${method})`, { payload: params }));
      return;
    }
    const line = describeNotification(method, params);
    if (line !== undefined) observer.event(knownGroups.test(method) ? "notification" : "other_message", line, method);
  });
  client.on("warning", ({ code, message, details }) => {
    if (code !== "malformed" && code !== "invalid-message") return;
    observer.event(
      "malformed",
      oneLine(`${message}: ${typeof details === "string" ? details : JSON.stringify(details)}`),
    );
  });
}

/** Tokens and limits of a notification: as Codex sends them today, and as older servers did. */
function telemetryOf(method: string, params: unknown): { threadId: string; usage?: unknown; rateLimits?: unknown } {
  if (!/tokenUsage|token_count|rateLimits/.test(method)) return { threadId: "" };
  const { threadId, conversationId, tokenUsage, rateLimits, msg } = (params ?? {}) as Record<string, unknown>;
  const { info, rate_limits } = (msg ?? {}) as Record<string, unknown>;
  return {
    threadId: String(threadId ?? conversationId),
    usage: tokenUsage ?? info,
    rateLimits: rateLimits ?? rate_limits,
  };
}
