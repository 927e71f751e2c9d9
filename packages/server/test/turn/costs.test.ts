import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gate, reply } from "@quire/testkit";
import type { ModelRequest } from "../../src/model/model-provider.ts";
import { dearestInput } from "../../src/turn/costs/cost-limits.ts";
import { costOf } from "../../src/turn/costs/metered-provider.ts";
import { stage, wireNamed } from "../model/ai-sdk/stage.ts";
import type { TestClient } from "../support/test-client.ts";
import { testServer, unattended } from "../support/test-server.ts";

const prices = "prices = { input = 2.0, cached_input = 0.5, output = 10.0 }";
const million = { input: 1000, cachedInput: 400, output: 100 };

test("tokens from a cache have their own price, which is that of input unless it is known", () => {
  const usage = {
    totalTokens: 1100,
    inputTokens: 1000,
    cachedInputTokens: 400,
    cacheWriteInputTokens: 100,
    outputTokens: 100,
    reasoningOutputTokens: 50,
  };
  const near = (usd: number, expected: number) => assert.ok(Math.abs(usd - expected) < 1e-12, `${usd}`);
  near(costOf(usage, { input: 2, cachedInput: 0.5, cacheWrite: 3, output: 10 }), 0.0025);
  near(costOf(usage, { input: 2, output: 10 }), 0.003);
});

test("clients that ask are told what a turn, its thread and the day cost, also after a restart; others are not", async () => {
  const toml = `[models."mock-model"]\n${prices}\n`;
  await using server = await testServer({ config: { toml }, capabilities: { experimentalApi: true, costs: true } });
  const other = await server.connect();
  const { client } = server;
  const threadId = await client.thread({ ...unattended, cwd: server.cwd });
  server.model.script(
    reply().functionCall("exec_command", { cmd: "true", login: false }).usage(million),
    reply().text("one").usage(million),
    reply().text("two").usage(million),
  );
  await client.turn(threadId);
  await other.request("thread/resume", { threadId });
  await client.turn(threadId);
  const costs = client.received.filter(({ method }) => method === "thread/cost/updated").map(({ params }) => params);
  const cents = costs.map(({ turn, thread, day }) => [turn, thread, day].map((usd) => Math.round(usd * 1e5)));
  assert.deepEqual(cents, [
    [240, 240, 240],
    [480, 480, 480],
    [240, 720, 720],
  ]);
  assert.equal(costs[0].currency, "USD");
  assert.ok(!other.received.some(({ method }) => method === "thread/cost/updated"));
  await server.close();
  const again = await server.open({ capabilities: { experimentalApi: true, costs: true } });
  await again.client.request("thread/resume", { threadId });
  server.model.script(reply().text("three").usage(million));
  await again.client.turn(threadId);
  const { thread, day } = await again.client.waitFor("thread/cost/updated");
  assert.deepEqual([Math.round(thread * 1e5), Math.round(day * 1e5)], [960, 960]);
  assert.equal(readdirSync(join(server.home, "costs")).length, 1);
});

for (const period of ["turn", "thread", "day"]) {
  test(`a request that may pass the limit of a ${period} is not sent, and the error names the remedy`, async () => {
    const toml = `[models."mock-model"]\n${prices}\noutput_limit = 100\n[cost_limits]\n${period} = 0.5\n`;
    await using server = await testServer({ config: { toml } });
    const { client } = server;
    const threadId = await client.thread({ ...unattended, cwd: server.cwd });
    server.model.script(
      reply().functionCall("exec_command", { cmd: "true", login: false }).usage({ input: 240_000, output: 1000 }),
    );
    const turn = await client.turn(threadId);
    assert.equal(turn.status, "failed");
    assert.equal(turn.error?.codexErrorInfo, "sessionBudgetExceeded");
    assert.match(turn.error?.message ?? "", new RegExp(`\\$0\\.49 of this ${period}.* Raise cost_limits\\.${period}`));
    assert.equal(server.model.requests.length, 1);
    const status = (await client.turn(threadId)).status;
    assert.equal(status, period === "turn" ? "completed" : "failed");
  });
}

test("limits without a price stop before the first request; models on this machine cost nothing", async () => {
  const toml = `[cost_limits]\nday = 1.0\n[model_providers.far]\nbase_url = "https://models.example/v1"\n`;
  await using server = await testServer({ config: { toml } });
  const { client } = server;
  const near = await client.thread({ ...unattended, cwd: server.cwd });
  assert.equal((await client.turn(near)).status, "completed");
  const far = await client.thread({ ...unattended, cwd: server.cwd, modelProvider: "far" });
  const turn = await client.turn(far);
  assert.match(turn.error?.message ?? "", /no price is known for mock-model.*\[model_providers\.far\.models/);
});

const dear = `[models."mock-model"]
prices = { input = 1.0, output = 1000.0 }
output_limit = 100
`;
const dollarsOf = ({ received }: TestClient): number[] =>
  received.filter(({ method }) => method === "thread/cost/updated").map(({ params }) => params.thread);

test("an answer that grows beyond what its model is said to write is stopped before it passes a limit", async () => {
  const toml = `${dear}[cost_limits]\nthread = 0.5\n`;
  await using server = await testServer({ config: { toml }, capabilities: { experimentalApi: true, costs: true } });
  const { client } = server;
  const threadId = await client.thread({ ...unattended, cwd: server.cwd });
  // At three characters to a token, a thousand dollars per million pay for 1500 of them.
  server.model.script(reply().text(["a".repeat(900), "b".repeat(900), gate(), "never"]));
  const turn = await client.turn(threadId);
  assert.equal(turn.error?.codexErrorInfo, "sessionBudgetExceeded");
  assert.match(turn.error?.message ?? "", /stopped before its cost could pass a limit. Raise cost_limits\.thread/);
  assert.equal(await server.model.last.ended, "aborted");
  const [paid = 0] = dollarsOf(client);
  assert.ok(paid > 0.5, `it is counted as it was: ${paid}`);
  assert.equal((await client.turn(threadId)).status, "failed", "nothing more is sent");
  assert.equal(server.model.requests.length, 1);
});

test("answers that are interrupted or cut are counted by an estimate", async () => {
  await using server = await testServer({
    config: { toml: dear, retries: 1 },
    capabilities: { experimentalApi: true, costs: true },
  });
  const { client, model } = server;
  const threadId = await client.thread({ ...unattended, cwd: server.cwd });
  const words = "w".repeat(300);
  model.script(reply().text([words, gate()]), reply().text(words, { unfinished: true }).truncate(), reply().text("ok"));
  const turnId = await client.start(threadId);
  await client.waitFor("item/agentMessage/delta");
  await client.request("turn/interrupt", { threadId, turnId });
  await client.ended(turnId);
  const [interrupted = 0] = dollarsOf(client);
  assert.ok(interrupted > 0.1 && interrupted < 0.2, `${interrupted}`);
  assert.equal((await client.turn(threadId)).status, "completed");
  const cut = dollarsOf(client)[1] ?? 0;
  assert.ok(cut > interrupted + 0.1, `${cut}`);
});

test("an image counts by what it may cost, not by its bytes", () => {
  const image = {
    type: "input_image",
    image_url: `data:image/png;base64,${"A".repeat(3_000_000)}`,
    detail: "high",
  } as const;
  const input = [{ type: "message", role: "user", content: [image, image] }] as const;
  const request = { input, tools: [], outputSchema: null } as unknown as ModelRequest;
  const dollars = dearestInput(request, { input: 1, output: 1 });
  assert.ok(dollars >= 0.04 && dollars < 0.041, `${dollars}`);
});

for (const [name, bound] of [
  ["responses", ["max_output_tokens", 100]],
  ["plain responses", ["max_output_tokens", 100]],
  ["chat", ["max_tokens", 100]],
  ["anthropic", ["max_tokens", 100]],
] as const) {
  test(`limits have the longest answer held by ${name}: reasoning that nobody sees costs, too`, async () => {
    const wire = wireNamed(name);
    const model = `models.${JSON.stringify(wire.model)}`;
    const facts = { [`${model}.prices`]: { input: 1, output: 10 }, [`${model}.output_limit`]: 100 };
    await using free = await stage(wire, { config: facts });
    await free.client.turn(await free.client.thread({ cwd: free.cwd }));
    assert.notEqual(free.mock.last.sent[bound[0]], bound[1]);
    await using set = await stage(wire, { config: { ...facts, "cost_limits.day": 5 } });
    const turn = await set.client.turn(await set.client.thread({ cwd: set.cwd }));
    assert.equal(turn.status, "completed", turn.error?.message);
    assert.equal(set.mock.last.sent[bound[0]], bound[1]);
    assert.deepEqual(set.mock.refused, []);
  });
}
