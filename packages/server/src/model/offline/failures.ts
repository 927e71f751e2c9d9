import { disconnected, Failure, failureOfCode } from "../failure.ts";
import { httpFailure } from "../http-failure.ts";

const codes: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    context: "context_length_exceeded",
    overloaded: "server_is_overloaded",
    quota: "insufficient_quota",
    rate: "rate_limit_exceeded",
    limit: "usage_limit_reached",
    model: "model_not_found",
    cyber: "cyber_policy",
    budget: "session_budget_exceeded",
    flex: "flex_unavailable",
    policy: "policy_capacity_unavailable",
    misalignment: "misalignment_policy_violation",
  }),
);

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

/** The failure that `fail: KIND` asks for: a status, a code of the API or a short name for it. */
export function askedFailure(kind: string): Failure {
  const message = `the offline model was asked to fail with ${kind || "nothing in particular"}`;
  const status = Number(kind);
  if (Number.isInteger(status) && status >= 400 && status < 600) {
    const statusText = phrases[status] ?? "";
    const body = JSON.stringify({ error: { message } });
    return httpFailure({ status, statusText, headers: new Headers(), body, url: "offline" });
  }
  const name = kind.toLowerCase();
  if (name === "cut") return disconnected(message);
  if (name === "connect") return new Failure(message, { responseStreamConnectionFailed: { httpStatusCode: null } });
  if (name === "unauthorized" || name === "badRequest".toLowerCase()) {
    return new Failure(message, name === "unauthorized" ? name : "badRequest");
  }
  return failureOfCode(codes.get(name) ?? name, message) ?? new Failure(message, "other");
}
