import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { httpError, mockResponses, random, reply } from "@quire/testkit";
import type { ProviderConfig } from "../../../src/config/effective-config.ts";
import { ask, failure } from "../ask-provider.ts";
import { modelRequest } from "../recording-sink.ts";

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
    await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1?a=1`, {
      row: { queryParams: { b: "2" } },
    });
    assert.equal(url, "/v1/responses?a=1&b=2");
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

test("a key that no header can hold is named by its variable before anything is sent, and a line's end is no part of it", async () => {
  await using mock = await mockResponses();
  const options = { env: { KEY: "sk\nmine", LINE: "hello\n" } };
  for (const row of [{ envKey: "KEY" }, { envHeaders: { "x-key": "KEY" } }]) {
    const error = await failure(mock.url, { row: { ...row, requestMaxRetries: 4 }, options });
    assert.match(error.message, /variable `KEY` holds characters that cannot be sent/);
    assert.ok(!error.message.includes("mine"));
  }
  assert.equal(mock.requests.length, 0);
  await ask(mock.url, { row: { envKey: "LINE", envHeaders: { "x-key": "LINE" } }, options });
  assert.deepEqual([mock.last.headers.authorization, mock.last.headers["x-key"]], ["Bearer hello", "hello"]);
});

test("a refused request without a login says that one has to log in", async () => {
  await using mock = await mockResponses();
  mock.script(httpError(401));
  const error = await failure(mock.url, { row: { requiresOpenaiAuth: true }, options: { auth: async () => null } });
  assert.equal(error.info, "unauthorized");
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
  const named = await limits({ "x-codex-other-primary-used-percent": "11", "x-codex-other-limit-name": "Other" });
  assert.deepEqual(named.at(-1), {
    ...nothing,
    limitId: "codex_other",
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
