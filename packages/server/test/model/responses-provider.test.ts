import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { eventually, gate, httpError, mockResponses, random, reply } from "@quire/testkit";
import type { ProviderConfig } from "../../src/config/effective-config.ts";
import { ModelError } from "../../src/model/model-provider.ts";
import { type ResponsesOptions, responsesProvider } from "../../src/model/responses-provider.ts";
import { modelRequest, providerRow, RecordingSink } from "./recording-sink.ts";
import { TestClock } from "./test-clock.ts";

interface Ask {
  readonly row?: Partial<ProviderConfig>;
  readonly options?: Partial<ResponsesOptions>;
  readonly request?: Parameters<typeof modelRequest>[1];
  readonly signal?: AbortSignal;
  readonly sink?: RecordingSink;
}

async function ask(url: string, { row, options, request, signal, sink = new RecordingSink() }: Ask = {}) {
  const provider = responsesProvider(providerRow(url, row), { env: {}, ...options });
  const result = await provider.stream(modelRequest("hi", request), sink, signal ?? new AbortController().signal);
  return { result, sink };
}

async function failure(url: string, how: Ask = {}): Promise<ModelError> {
  const error = await ask(url, how).then(
    () => assert.fail("the request should have failed"),
    (error: unknown) => error,
  );
  assert.ok(error instanceof ModelError, String(error));
  return error;
}

test("items and their deltas arrive in order, with usage", async () => {
  await using mock = await mockResponses();
  mock.script(
    reply()
      .reasoning(["Let me see", "Yes"], { encrypted: "E", content: ["raw"] })
      .text("hello wörld", { chunks: 3 })
      .functionCall("f", { a: 1 }, { callId: "c1", namespace: "n" })
      .customToolCall("apply_patch", "patch", { callId: "c2" })
      .webSearch("q")
      .usage({ input: 100, cachedInput: 40, output: 20, reasoning: 5 }),
  );
  const { result, sink } = await ask(mock.url);
  assert.deepEqual(result.usage, {
    totalTokens: 120,
    inputTokens: 100,
    cachedInputTokens: 40,
    cacheWriteInputTokens: 0,
    outputTokens: 20,
    reasoningOutputTokens: 5,
  });
  assert.deepEqual(
    sink.calls.map(([kind]) => kind).join(" "),
    "added summaryPart summary summaryPart summary reasoning done added text text text done added done added toolInput done added done",
  );
  assert.equal(sink.text, "hello wörld");
  assert.deepEqual(
    sink.items.map((item) => item.type),
    ["reasoning", "message", "function_call", "custom_tool_call", "web_search_call"],
  );
});

test("the model is sent what Codex sends", async () => {
  await using mock = await mockResponses();
  const schema = { type: "object", properties: {} };
  const tools = [{ type: "function", name: "exec_command" }];
  await ask(mock.url, {
    request: {
      tools,
      effort: "high",
      summary: "detailed",
      outputSchema: schema,
      serviceTier: "fast",
      metadata: { a: "b" },
    },
  });
  assert.deepEqual(mock.last.body, {
    model: "mock-model",
    input: modelRequest("hi").input,
    tools,
    tool_choice: "auto",
    parallel_tool_calls: true,
    reasoning: { effort: "high", summary: "detailed" },
    store: false,
    stream: true,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "thread-1",
    service_tier: "priority",
    text: { format: { type: "json_schema", strict: true, name: "codex_output_schema", schema } },
    client_metadata: { session_id: "thread-1", thread_id: "thread-1", turn_id: "turn-1", a: "b" },
  });
  await ask(mock.url, { request: { summary: "none" } });
  assert.deepEqual(mock.last.body.reasoning, {});
  assert.equal("text" in mock.last.body, false);
  await ask(mock.url, { request: { model: "gpt-5.5" } });
  assert.deepEqual(mock.last.body.reasoning, { effort: "medium" });
  assert.deepEqual(mock.last.body.text, { verbosity: "low" });
});

test("headers, query parameters and keys are sent as the provider's row says", async () => {
  let url = "";
  const server = createServer((request, response) => {
    url = request.url ?? "";
    response.end('data: {"type":"response.completed","response":{"id":"r"}}\n\n');
  }).listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, {
      row: { queryParams: { "api-version": "1 &2" } },
    });
    assert.equal(url, "/v1/responses?api-version=1+%262");
  } finally {
    server.close();
  }
  await using mock = await mockResponses();
  const row = { headers: { "X-Stat": "v" }, envHeaders: { "X-Env": "MY_VAR", "X-None": "NONE" } };
  const options = { env: { MY_VAR: "hello", KEY: "sk-1" }, originator: "my-client", auth: async () => "login-token" };
  const sent = async (more: Partial<ProviderConfig>) => {
    await ask(mock.url, { row: { ...row, ...more }, options });
    return mock.last.headers;
  };
  const headers = await sent({ envKey: "KEY" });
  assert.equal(headers.authorization, "Bearer sk-1");
  assert.equal(headers["x-stat"], "v");
  assert.equal(headers["x-env"], "hello");
  assert.equal(headers["x-none"], undefined);
  assert.equal(headers.originator, "my-client");
  assert.match(String(headers["user-agent"]), /^quire\/\d/);
  assert.equal(headers["session-id"], "thread-1");
  assert.equal(headers["thread-id"], "thread-1");
  assert.equal((await sent({ bearerToken: "tok" })).authorization, "Bearer tok");
  assert.equal((await sent({ requiresOpenaiAuth: true })).authorization, "Bearer login-token");
  assert.equal((await sent({})).authorization, undefined, "a login never goes to a provider that did not ask for it");
});

test("a missing key is told before anything is sent", async () => {
  await using mock = await mockResponses();
  const error = await failure(mock.url, { row: { envKey: "NOPE", envKeyInstructions: "Get one at example.com." } });
  assert.equal(error.message, "Missing environment variable: `NOPE`. Get one at example.com.");
  assert.equal(mock.requests.length, 0);
});

test("a refused request without a login says that one has to log in", async () => {
  await using mock = await mockResponses();
  mock.script(httpError(401));
  const error = await failure(mock.url, { row: { requiresOpenaiAuth: true }, options: { auth: async () => null } });
  assert.equal(error.info, "unauthorized");
});

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
    const clock = new TestClock(100_000);
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
  const mock = await mockResponses();
  const { url } = mock;
  await mock.close();
  const clock = new TestClock(100_000);
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

test("a cut stream is tried again, and clients are told", async () => {
  await using mock = await mockResponses();
  mock.script(reply().text("lost", { unfinished: true }).cut(), reply().truncate(), reply().text("found"));
  const sink = new RecordingSink();
  await ask(mock.url, { row: { streamMaxRetries: 3 }, options: { clock: new TestClock(100_000) }, sink });
  assert.deepEqual(
    sink.retries.map(({ error, attempt, attempts }) => [error.message, error.info, attempt, attempts]),
    [1, 2].map((n) => [`Reconnecting... ${n}/3`, { responseStreamDisconnected: { httpStatusCode: null } }, n, 3]),
  );
  assert.match(sink.retries[0]?.error.details ?? "", /^stream disconnected before completion/);
  // Whether the first words came through before the cut is up to the network; they are void in any case.
  assert.match(sink.text, /found$/);
});

test("a failing server is asked again quietly, one that is over capacity not in a new stream", async () => {
  await using mock = await mockResponses();
  const row = { requestMaxRetries: 2, streamMaxRetries: 2 };
  const clock = new TestClock(100_000);
  mock.script(httpError(503), httpError(500), reply().text("ok"));
  const { sink } = await ask(mock.url, { row, options: { clock } });
  assert.deepEqual(sink.retries, []);
  mock.fallback(httpError(503, { error: { code: "server_is_overloaded" } }));
  const before = mock.requests.length;
  await failure(mock.url, { row, options: { clock } });
  assert.equal(mock.requests.length - before, 3);
});

test("Retry-After is kept, in seconds or as a date, but not for ever", async () => {
  await using mock = await mockResponses();
  const row = { requestMaxRetries: 1, streamMaxRetries: 1 };
  const clock = new TestClock(100_000);
  const waits = async (status: number, value: string) => {
    clock.waits.length = 0;
    mock.script(httpError(status, undefined, { "retry-after": value }));
    await ask(mock.url, { row, options: { clock } });
    return clock.waits[0] ?? 0;
  };
  assert.equal(await waits(503, "2"), 2000);
  assert.equal(await waits(429, "3"), 3000);
  assert.equal(await waits(503, "86400"), 60_000);
  const date = await waits(503, new Date(Date.now() + 30_000).toUTCString());
  assert.ok(date > 20_000 && date <= 30_000, String(date));
});

test("a silent stream is given up after the idle time, and tried again", async () => {
  await using mock = await mockResponses();
  const hold = gate();
  mock.script(reply().text(["one", hold]), reply().text("two"));
  const clock = new TestClock(1000);
  const sink = new RecordingSink();
  const done = ask(mock.url, { row: { streamIdleTimeoutMs: 5000, streamMaxRetries: 1 }, options: { clock }, sink });
  await eventually(() => sink.text === "one");
  clock.advance(4000);
  assert.equal(sink.retries.length, 0);
  clock.advance(2000);
  await done;
  assert.match(sink.retries[0]?.error.details ?? "", /no event for 5000 ms/);
  assert.equal(sink.text, "onetwo");
  assert.equal(await mock.requests[0]?.ended, "aborted");
});

test("a reader that is slow does not count as a silent model, and holds the stream", async () => {
  await using mock = await mockResponses();
  mock.script(reply().text(["one", "two"]));
  const clock = new TestClock(1000);
  const sink = new RecordingSink();
  const drained = gate();
  let held = 0;
  sink.hold = () => {
    held++;
    return Promise.resolve(drained);
  };
  const halves = gate();
  mock.fallback(reply().text(["a", halves, "b"]));
  await ask(mock.url);
  const done = ask(mock.url, { row: { streamIdleTimeoutMs: 5000 }, options: { clock }, sink });
  await eventually(() => held === 1);
  clock.advance(60_000);
  halves.open();
  assert.equal(sink.text, "a");
  drained.open();
  await done;
  assert.equal(sink.text, "ab");
});

test("an abort ends a stream, a wait and a held reader at once, with its reason", async () => {
  await using mock = await mockResponses();
  const reason = new Error("interrupted");
  const never = new Promise<void>(() => {});
  const aborted = async (how: Ask, ready: (sink: RecordingSink) => boolean) => {
    const controller = new AbortController();
    const sink = how.sink ?? new RecordingSink();
    const done = assert.rejects(
      ask(mock.url, { ...how, sink, signal: controller.signal }),
      (error) => error === reason,
    );
    await eventually(() => ready(sink));
    controller.abort(reason);
    await done;
  };
  mock.script(reply().text(["one", never]));
  await aborted({}, (sink) => sink.text === "one");
  assert.equal(await mock.last.ended, "aborted");

  mock.script(reply().cut());
  await aborted(
    { row: { streamMaxRetries: 5 }, options: { clock: new TestClock() } },
    (sink) => sink.retries.length === 1,
  );

  let held = false;
  const sink = new RecordingSink();
  sink.hold = () => {
    held = true;
    return never;
  };
  mock.script(reply().text(["one", never]));
  await aborted({ sink }, () => held);

  await assert.rejects(ask(mock.url, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
});

test("what a sink throws ends the request and reaches the caller", async () => {
  await using mock = await mockResponses();
  mock.script(reply().text(["one", new Promise<void>(() => {})]));
  const sink = new RecordingSink();
  const bug = new Error("bug");
  sink.textDelta = () => {
    throw bug;
  };
  await assert.rejects(ask(mock.url, { sink, row: { streamMaxRetries: 3 } }), (error) => error === bug);
  assert.equal(await mock.last.ended, "aborted");
});

test("no timer is left behind by a request", async () => {
  await using mock = await mockResponses();
  const clock = new TestClock();
  await ask(mock.url, { options: { clock } });
  await eventually(() => clock.pending === 0);
});

test("quotas are read from the headers", async () => {
  await using mock = await mockResponses();
  const nothing = {
    limitId: "codex",
    limitName: null,
    normalModelSlug: null,
    primary: null,
    secondary: null,
    credits: null,
    individualLimit: null,
    spendControlReached: null,
    planType: null,
    rateLimitReachedType: null,
  };
  const limits = async (headers: Record<string, string>) => {
    mock.script(reply().headers(headers).text("x"));
    return (await ask(mock.url)).sink.limits;
  };
  assert.deepEqual(await limits({}), [nothing]);
  assert.deepEqual(
    await limits({
      "x-codex-primary-used-percent": "12.5",
      "x-codex-primary-window-minutes": "300",
      "x-codex-primary-reset-at": "1800000000",
      "x-codex-secondary-used-percent": "99.9",
      "x-codex-credits-has-credits": "true",
      "x-codex-credits-unlimited": "0",
      "x-codex-credits-balance": "12.3",
    }),
    [
      {
        ...nothing,
        primary: { usedPercent: 13, windowDurationMins: 300, resetsAt: 1_800_000_000 },
        secondary: { usedPercent: 100, windowDurationMins: null, resetsAt: null },
        credits: { hasCredits: true, unlimited: false, balance: "12.3" },
      },
    ],
  );
  assert.deepEqual(await limits({ "x-codex-primary-used-percent": "0", "x-codex-primary-window-minutes": "0" }), [
    nothing,
  ]);
  assert.deepEqual(await limits({ "x-codex-primary-used-percent": "abc" }), [nothing]);
  const named = await limits({ "x-other-primary-used-percent": "11", "x-other-limit-name": "Other" });
  assert.deepEqual(named.at(-1), {
    ...nothing,
    limitId: "other",
    limitName: "Other",
    primary: { usedPercent: 11, windowDurationMins: null, resetsAt: null },
  });
});

test("a long answer arrives whole, cut anywhere", async () => {
  const dice = random();
  const words = Array.from({ length: 3000 }, () =>
    dice.pick(["word ", "wörter ", "世界", "😀 ", '"quoted" ', "back\\slash ", "\n"]),
  );
  const played = [
    ...reply()
      .text(words)
      .play((prefix) => `${prefix}_1`, "m"),
  ].join("");
  const bytes = Buffer.from(played);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (at: number): void => {
      if (at >= bytes.length) {
        response.end();
        return;
      }
      const length = dice.int(1, 20_000);
      response.write(bytes.subarray(at, at + length), () => send(at + length));
    };
    send(0);
  }).listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const { sink } = await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    assert.equal(sink.text, words.join(""));
    assert.equal(sink.calls.filter(([kind]) => kind === "text").length, words.length);
  } finally {
    server.close();
  }
});
