import assert from "node:assert/strict";
import { test } from "node:test";
import type { EvaluationPhase } from "@quire/agent";
import { phaseOfTurnError } from "@quire/agent/runtime";

const expected: Record<EvaluationPhase, string[]> = {
  request: [
    "httpConnectionFailed",
    "unauthorized",
    "badRequest",
    "responseTooManyFailedAttempts",
    "responseStreamConnectionFailed",
    "responseStreamDisconnected",
    "serverOverloaded",
  ],
  budget: ["usageLimitExceeded", "modelCap", "sessionBudgetExceeded"],
  tool: ["sandboxError"],
  response: [
    "contextWindowExceeded",
    "threadRollbackFailed",
    "internalServerError",
    "other",
    "cyberPolicy",
    "brandNew",
    "toString",
  ],
};

for (const [phase, kinds] of Object.entries(expected)) {
  test(`9.3, 9.4, 9.7: ${kinds.join(", ")} belong to ${phase}`, () => {
    for (const kind of kinds) assert.equal(phaseOfTurnError(kind), phase, kind);
  });
  test(`9.5: the same (${phase}) in every form that servers send`, () => {
    for (const kind of kinds) {
      assert.equal(phaseOfTurnError({ [kind]: { httpStatusCode: 503 } }), phase, kind);
      assert.equal(phaseOfTurnError({ type: kind }), phase, kind);
      assert.equal(phaseOfTurnError(kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)), phase, kind);
    }
  });
}

test("9.5: nothing to go by is a bad response; a model's cap is known by its members too", () => {
  for (const info of [undefined, null, 5, {}, []]) assert.equal(phaseOfTurnError(info), "response");
  assert.equal(phaseOfTurnError({ model: "gpt", reset_after_seconds: 5 }), "budget");
});

test("9.3: a refused request and a stream that was cut, which Codex calls other, belong to request", () => {
  for (const message of [
    '{"error":{"message":"Unsupported value","type":"invalid_request_error"}}',
    '{"detail":"Bad Request"}',
    "unexpected status 401 Unauthorized: bad, url: http://127.0.0.1/v1/responses",
    "stream disconnected before completion: stream closed before response.completed",
    "stream disconnected before completion: Transport error: network error: error decoding response body",
  ])
    assert.equal(phaseOfTurnError("other", message), "request", message);
  for (const message of [
    "stream disconnected before completion: Incomplete response returned, reason: content_filter",
    "{not json",
    "The model said: unexpected status 400",
    "",
  ])
    assert.equal(phaseOfTurnError("other", message), "response", message);
  assert.equal(phaseOfTurnError("cyberPolicy", '{"error":{}}'), "response");
});
