import { httpError } from "../http-error.ts";
import { ModelMock, type ModelMockOptions } from "../model-mock.ts";
import type { Wire } from "../wire.ts";
import { checkAnthropic } from "./check-anthropic.ts";
import { playAnthropic } from "./play-anthropic.ts";
import { readAnthropic } from "./read-anthropic.ts";

/**
 * Starts a strict mock of Anthropic's Messages API: `POST /v1/messages`. It refuses what the API refuses: roles out of
 * order, calls without results, a missing `max_tokens`, more than four cache marks, a signature that it did not give.
 */
export function mockAnthropic(options?: ModelMockOptions): Promise<ModelMock> {
  return new ModelMock(anthropicWire(), options).listen();
}

function anthropicWire(): Wire {
  /** Signatures of the reasoning that this mock has played. */
  const signatures = new Map<string, string>();
  const error: Wire["error"] = (status, message, headers) =>
    httpError(status, { type: "error", error: { type: errorType(status), message }, request_id: "req_mock" }, headers);
  return {
    handles: (path) => path === "/messages",
    read: ({ body }) => readAnthropic(body),
    check: ({ headers, body }) => {
      const isKnown = headers["x-api-key"] !== undefined || headers.authorization !== undefined;
      if (!isKnown) return error(401, "x-api-key header is required");
      if (headers["anthropic-version"] === undefined) return error(400, "anthropic-version: header is required");
      const refusal = checkAnthropic(body, signatures);
      return refusal && error(400, refusal.message);
    },
    play: (script, context) => playAnthropic(script, context, signatures),
    error,
  };
}

const types: ReadonlyMap<number, string> = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [529, "overloaded_error"],
]);

const errorType = (status: number): string => types.get(status) ?? "api_error";
