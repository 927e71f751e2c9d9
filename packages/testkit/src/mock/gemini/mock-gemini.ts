import { httpError } from "../http-error.ts";
import { ModelMock, type ModelMockOptions } from "../model-mock.ts";
import type { Wire } from "../wire.ts";
import { checkGemini } from "./check-gemini.ts";
import { playGemini } from "./play-gemini.ts";
import { readGemini } from "./read-gemini.ts";

/**
 * Starts a strict mock of the Gemini API: `POST /v1beta/models/NAME:streamGenerateContent`. It refuses what the API
 * refuses: unknown fields, calls and responses out of order, and calls without the signature of their thought.
 */
export function mockGemini(options?: ModelMockOptions): Promise<ModelMock> {
  return new ModelMock(geminiWire(), options).listen();
}

const statuses: ReadonlyMap<number, string> = new Map([
  [400, "INVALID_ARGUMENT"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
]);

function geminiWire(): Wire {
  const signatures = new Set<string>();
  const error: Wire["error"] = (code, message, headers) =>
    httpError(code, { error: { code, message, status: statuses.get(code) ?? "UNKNOWN" } }, headers);
  return {
    handles: (path) => /^\/models\/[^/]+:streamGenerateContent$/.test(path),
    read: readGemini,
    check: ({ headers, body }) => {
      const isKnown = headers["x-goog-api-key"] !== undefined || headers.authorization !== undefined;
      if (!isKnown) return error(403, "Method doesn't allow unregistered callers. Please use API Key.");
      const refusal = checkGemini(body, signatures);
      return refusal && error(400, refusal.message);
    },
    play: (script, context) => playGemini(script, context, signatures),
    error,
  };
}
