import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock, httpError, mockResponses, reply } from "@quire/testkit";
import { failure } from "./ask-provider.ts";
import { RecordingSink } from "./recording-sink.ts";

const statuses: readonly [name: string, answer: ReturnType<typeof httpError>, info: unknown, message: RegExp][] = [
  ["400", httpError(400), "other", /^\{"error":\{"message":"Scripted HTTP 400"/],
  ["400 text", httpError(400, "plain"), "other", /^plain$/],
  [
    "400 context",
    httpError(400, { error: { code: "context_length_exceeded" } }),
    "contextWindowExceeded",
    /context window/,
  ],
  ["400 model", httpError(400, { error: { code: "model_not_found", message: "no" } }), "modelNotFound", /^no$/],
  ["400 cyber", httpError(400, { error: { code: "cyber_policy", message: "no" } }), "cyberPolicy", /^no$/],
  [
    "400 image",
    httpError(400, { error: { message: "The image data you provided does not represent a valid image" } }),
    "badRequest",
    /Invalid image/,
  ],
  [
    "401",
    httpError(401),
    { httpConnectionFailed: { httpStatusCode: 401 } },
    /^unexpected status 401 Unauthorized: Scripted HTTP 401, url: /,
  ],
  ["404", httpError(404, ""), { httpConnectionFailed: { httpStatusCode: 404 } }, /404 Not Found: Unknown error, url: /],
  ["404 model", httpError(404, { error: { code: "model_not_found", message: "no" } }), "modelNotFound", /^no$/],
  [
    "404 page",
    httpError(404, `<html>${"x".repeat(5000)}`),
    { httpConnectionFailed: { httpStatusCode: 404 } },
    /x\.\.\., url: /,
  ],
  [
    "429",
    httpError(429),
    { responseTooManyFailedAttempts: { httpStatusCode: 429 } },
    /^exceeded retry limit, last status: 429 Too Many/,
  ],
  [
    "429 usage",
    httpError(429, { error: { type: "usage_limit_reached", message: "limit", resets_at: 1_800_000_000 } }),
    "usageLimitExceeded",
    /2027-01-15T08:00:00/,
  ],
  [
    "429 quota",
    httpError(429, { error: { code: "insufficient_quota", message: "x" } }),
    "usageLimitExceeded",
    /^Quota exceeded/,
  ],
  ["429 plan", httpError(429, { error: { type: "usage_not_included" } }), "usageLimitExceeded", /plan/],
  ["500", httpError(500), "internalServerError", /internal error/],
  [
    "503",
    httpError(503),
    { httpConnectionFailed: { httpStatusCode: 503 } },
    /^unexpected status 503 Service Unavailable/,
  ],
  ["503 overloaded", httpError(503, { error: { code: "server_is_overloaded" } }), "serverOverloaded", /capacity/],
  ["503 slow down", httpError(503, { error: { code: "slow_down", message: "busy" } }), "rateLimitExceeded", /busy/],
];

for (const [name, answer, info, message] of statuses) {
  test(`HTTP ${name} is told as Codex tells it`, async () => {
    await using mock = await mockResponses({ fallback: answer });
    const error = await failure(mock.url);
    assert.deepEqual(error.info, info);
    assert.match(error.message, message);
    assert.equal(mock.requests.length, 1);
  });
}

const codes: readonly [code: string, info: unknown, retried: boolean][] = [
  ["context_length_exceeded", "contextWindowExceeded", false],
  ["insufficient_quota", "usageLimitExceeded", false],
  ["usage_not_included", "usageLimitExceeded", false],
  ["usage_limit_reached", "usageLimitExceeded", false],
  ["rate_limit_exceeded", "rateLimitExceeded", true],
  ["slow_down", "rateLimitExceeded", true],
  ["server_is_overloaded", "serverOverloaded", false],
  ["model_not_found", "modelNotFound", false],
  ["cyber_policy", "cyberPolicy", false],
  ["misalignment_policy_violation", "misalignmentPolicyViolation", false],
  ["policy_capacity_unavailable", "policyCapacityUnavailable", false],
  ["flex_unavailable", "flexUnavailable", false],
  ["session_budget_exceeded", "sessionBudgetExceeded", false],
  ["invalid_prompt", "other", false],
  ["server_error", "other", true],
];

for (const [code, info, retried] of codes) {
  test(`a response that failed with ${code} is told as such${retried ? ", after another try" : " at once"}`, async () => {
    await using mock = await mockResponses({ fallback: reply().failed(code, "Try again in 1.5s.") });
    const clock = fakeClock({ instantBelowMs: 100_000 });
    const sink = new RecordingSink();
    const error = await failure(mock.url, { row: { streamMaxRetries: 1 }, options: { clock }, sink });
    assert.deepEqual(error.info, info);
    assert.equal(mock.requests.length, retried ? 2 : 1);
    if (info === "rateLimitExceeded") assert.ok(clock.waits.includes(1500), "the wait that was asked for is kept");
  });
}

test("other ends of a stream fail the request", async () => {
  await using mock = await mockResponses();
  const cases = [
    [reply().text("x").incomplete("max_output_tokens"), /^Incomplete response returned, reason: max_output_tokens$/],
    [
      reply().text("x").incomplete("content_filter"),
      /^stream disconnected before completion: Incomplete.*content_filter$/,
    ],
    [reply().text("x", { unfinished: true }).cut(), /^stream disconnected before completion: network error: /],
    [
      reply().text("x", { unfinished: true }).truncate(),
      /^stream disconnected before completion: stream closed before/,
    ],
    [reply().event("error", { code: "server_error", message: "boom" }).truncate(), /completion: boom$/],
    [
      reply()
        .event("response.failed", { response: { error: null } })
        .truncate(),
      /without a reason$/,
    ],
  ] as const;
  for (const [scripted, message] of cases) {
    mock.script(scripted);
    const error = await failure(mock.url);
    assert.match(error.message, message);
    assert.equal(error.info, "other");
  }
  mock.script(
    reply()
      .event("error", { error: { code: "context_length_exceeded", message: "boom" } })
      .truncate(),
  );
  assert.equal((await failure(mock.url)).info, "contextWindowExceeded");
});

test("an answer that is no stream of events points at the address", async () => {
  await using mock = await mockResponses();
  mock.script({ status: 200, body: "<html>", headers: { "content-type": "text/html" } });
  const error = await failure(mock.url);
  assert.deepEqual(error.info, { responseStreamConnectionFailed: { httpStatusCode: 200 } });
  assert.match(error.message, /no stream of events but text\/html: check the provider's base_url/);
});

test("a provider that cannot be reached is told with its address, after all retries", async () => {
  // Nobody listens there, nor will anybody: a port that was just given up may be given to another program.
  const url = "http://127.0.0.1:1/v1";
  const clock = fakeClock({ instantBelowMs: 100_000 });
  const sink = new RecordingSink();
  const row = { requestMaxRetries: 2, streamMaxRetries: 1 };
  const error = await failure(url, { row, options: { clock }, sink });
  assert.deepEqual(error.info, { httpConnectionFailed: { httpStatusCode: null } });
  assert.ok(
    error.message.startsWith("Connection failed: ") && error.message.includes(`${url}/responses`),
    error.message,
  );
  assert.deepEqual(clock.waits, [200, 400, 200, 200, 400], "two silent retries, a new stream, two silent retries");
});

test("keys that were sent are told to nobody, though the endpoint repeats them or they stand in the address", async () => {
  await using mock = await mockResponses();
  const row = {
    envKey: "KEY",
    headers: { "x-gate": "open-sesame", "x-kind": "short" },
    envHeaders: { "x-more": "MORE" },
    queryParams: { sig: "signature-1" },
  };
  const options = { env: { KEY: "key-of-mine", MORE: "more-of-mine" } };
  mock.script(
    httpError(403, "short of key-of-mine, open-sesame and more-of-mine"),
    reply().failed("odd", "key-of-mine"),
  );
  const refused = await failure(`${mock.url}?sig=signature-2`, { row, options });
  assert.match(refused.message, /short of \*\*\*, \*\*\* and \*\*\*, url: http:.*\/responses$/);
  assert.match((await failure(mock.url, { row, options })).message, /: \*\*\*$/);
  const unreachable = await failure("http://user:password-1@127.0.0.1:1/v1?sig=signature-2", { row, options });
  assert.match(unreachable.message, /url: http:\/\/127\.0\.0\.1:1\/v1\/responses$/);
});
