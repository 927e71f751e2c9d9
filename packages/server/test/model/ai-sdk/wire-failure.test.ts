/** Errors of providers of other wires: their kind, their own words, and when to ask again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { httpError, reply } from "@quire/testkit";
import { kindOf, stage, wireNamed } from "./stage.ts";

/** A turn whose model answers with this status and body. */
async function failedTurn(status: number, body: object, headers: Record<string, string> = {}) {
  await using set = await stage(wireNamed("chat"), { retries: 0 });
  set.mock.script(httpError(status, body, headers));
  const turn = await set.client.turn(await set.client.thread({ cwd: set.cwd }));
  return { turn, client: set.client };
}

const said: readonly [name: string, status: number, error: object, kind: string, words: RegExp][] = [
  [
    "a history that is too long says by how much",
    400,
    { message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens." },
    "contextWindowExceeded",
    /context window[\s\S]*9001 tokens/,
  ],
  [
    "an account without money is no bad request",
    400,
    { type: "invalid_request_error", message: "Your credit balance is too low to access the Anthropic API." },
    "usageLimitExceeded",
    /credit balance is too low/,
  ],
  [
    "an account without credits is no refused login",
    403,
    { message: "Your team has used all available credits or reached its monthly limit." },
    "usageLimitExceeded",
    /used all available credits/,
  ],
  [
    "a wrong key is a refused login, also where the provider calls it a bad request",
    400,
    { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" },
    "unauthorized",
    /API key not valid/,
  ],
  [
    "a model that the provider has not is named as such, also where it is a bad request",
    400,
    { message: "Invalid model: no-such-model", type: "invalid_model", code: "1500" },
    "modelNotFound",
    /no-such-model/,
  ],
  [
    "a router tells the words of the provider behind it",
    400,
    { message: "Provider returned error", metadata: { raw: '{"error":{"message":"tool 3 is odd"}}' } },
    "badRequest",
    /Provider returned error: tool 3 is odd/,
  ],
];

for (const [name, status, error, kind, words] of said) {
  test(name, async () => {
    const { turn } = await failedTurn(status, { error });
    assert.equal(kindOf(turn), kind);
    assert.match(`${turn.error?.message} ${turn.error?.additionalDetails}`, words);
  });
}

test("an error that a router sends within the stream has its status", async () => {
  await using set = await stage(wireNamed("chat"));
  set.mock.script(reply().event("error", { error: { code: 402, message: "Insufficient credits" } }));
  const turn = await set.client.turn(await set.client.thread({ cwd: set.cwd }));
  assert.equal(kindOf(turn), "usageLimitExceeded");
  assert.match(turn.error?.message ?? "", /Insufficient credits/);
  assert.equal(set.mock.requests.length, 1);
});

test("an event that no API has is told in few words", async () => {
  await using set = await stage(wireNamed("chat"), { retries: 0 });
  set.mock.script(reply().event("odd", { choices: "x".repeat(5000) }));
  const turn = await set.client.turn(await set.client.thread({ cwd: set.cwd }));
  assert.match(turn.error?.message ?? "", /the provider sent what its API does not have: \{"choices":"xxx/);
  assert.ok((turn.error?.message.length ?? 0) < 500);
});

test("limits are told also by the answer that says that they are reached", async () => {
  const { client } = await failedTurn(
    429,
    { error: { message: "Slow down" } },
    {
      "x-ratelimit-limit": "20",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1893456000000",
    },
  );
  const { rateLimits } = await client.waitFor("account/rateLimits/updated");
  assert.deepEqual([rateLimits.secondary?.usedPercent, rateLimits.secondary?.resetsAt], [100, 1_893_456_000]);
});

for (const [where, message, headers] of [
  ["its words", "Rate limit reached. Please try again in 5ms.", {}],
  ["milliseconds of a header", "Slow down", { "retry-after-ms": "5" }],
] as const) {
  test(`a provider at its limit is asked again when it says so, by ${where}`, async () => {
    await using set = await stage(wireNamed("chat"));
    const error = { message, type: "tokens", code: "rate_limit_exceeded" };
    set.mock.script(httpError(429, { error }, headers), reply().text("Here."));
    const turn = await set.client.turn(await set.client.thread({ cwd: set.cwd }));
    assert.equal(turn.status, "completed", turn.error?.message);
    assert.equal(set.mock.requests.length, 2);
  });
}

test("tokens from DeepSeek's cache are counted as such", async () => {
  await using set = await stage(wireNamed("chat"));
  const shape = { id: "c", object: "chat.completion.chunk", created: 0, model: "m" };
  const usage = { prompt_tokens: 50, completion_tokens: 7, total_tokens: 57, prompt_cache_hit_tokens: 20 };
  const chunks = [
    { ...shape, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    { ...shape, choices: [], usage },
  ];
  const end = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((text) => `data: ${text}\n\n`).join("");
  set.mock.script(reply().text("Here.").raw(end).truncate());
  await set.client.turn(await set.client.thread({ cwd: set.cwd }));
  const { last } = (await set.client.waitFor("thread/tokenUsage/updated")).tokenUsage;
  assert.deepEqual([last.inputTokens, last.cachedInputTokens, last.outputTokens], [50, 20, 7]);
});
