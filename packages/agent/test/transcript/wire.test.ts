import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CodexAgent, definePrompt, markdown, PromptEvaluationError } from "@quire/agent";
import { CodexClient, ConnectionError, RpcError } from "@quire/client";
import { assertNoChildren } from "@quire/testkit";

const server = fileURLToPath(new URL("../../test/support/odd-server.mjs", import.meta.url));
const command = (mode: string) => [process.execPath, server, mode];
const prompt = definePrompt({ ns: "n", key: "k", sections: [markdown({ key: "a", title: "A", template: "Hi" })] });
const evaluate = (mode: string) =>
  new CodexAgent({ client: { command: command(mode), startupTimeoutMs: 60_000 } }).evaluate(prompt.bind());

async function errorOf(mode: string): Promise<PromptEvaluationError> {
  const error = await evaluate(mode).then(
    () => assert.fail("it was evaluated"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PromptEvaluationError, String(error));
  return error;
}

interface Received {
  readonly id?: number | string;
  readonly method?: string;
  readonly jsonrpc?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

test("4.2, 4.3: answers, notifications and questions are told apart, whatever order and ids the server chooses", async () => {
  const { text } = await evaluate("noise");
  const received = JSON.parse(text ?? "") as Received[];
  const requests = received.filter(({ id, method }) => id !== undefined && method !== undefined);
  const ids = requests.map(({ id }) => id as number);
  assert.ok(ids.every((id) => Number.isInteger(id)));
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((a, b) => a - b),
    "ids increase",
  );
  assert.ok(received.every((message) => !("jsonrpc" in message)));
  const answers = received.filter(({ method }) => method === undefined);
  // Both were asked at once, so either may be answered first.
  const byId = answers
    .map(({ id, result }) => [id, result])
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  assert.deepEqual(byId, [
    [1, { decision: "decline" }],
    ["a string", { decision: "decline" }],
  ]);
  const initialized = received.find(({ method }) => method === "initialized");
  assert.deepEqual(initialized, { method: "initialized" });
  await assertNoChildren();
});

test("4.4: blank lines, what is no JSON or no object, and answers to nothing are skipped", async () => {
  const { text } = await evaluate("noise");
  assert.match(text ?? "", /turn\/start/);
});

test("4.5: a server that goes away fails what waits for it at once, and what comes later", async () => {
  const error = await errorOf("leave");
  assert.equal(error.phase, "request");
  await using client = await CodexClient.spawn({ command: command("leave") });
  await assert.rejects(client.thread({}), ConnectionError);
  await assert.rejects(client.thread({}), ConnectionError);
});

test("4.6: an error of the server keeps its code and data", async () => {
  const error = await errorOf("refuse");
  assert.equal(error.phase, "request");
  assert.match(error.message, /no threads today/);
  assert.ok(error.cause instanceof RpcError);
  assert.deepEqual([error.cause.code, error.cause.data], [-32099, { until: "noon" }]);
});

test("4.6: a request that is not answered in time fails with the name of its method", async () => {
  // A limit for this request alone: under one for all, a server that starts slowly would fail the handshake.
  await using client = await CodexClient.spawn({ command: command("deaf") });
  await assert.rejects(client.request("thread/start", {}, { timeoutMs: 20 }), (error) => {
    assert.ok(error instanceof ConnectionError);
    assert.equal(error.code, "timeout");
    assert.match(error.message, /thread\/start/);
    return true;
  });
});

test("4.7: an error has the last 8 KB that the server said, and stopping twice is as good as once", async () => {
  const { payload } = await errorOf("leave");
  const stderr = payload?.stderr ?? "";
  assert.ok(stderr.endsWith("the last words"));
  assert.ok(stderr.length <= 8192);
  const client = await CodexClient.spawn({ command: command("deaf"), shutdownMs: 100 });
  await Promise.all([client.close(), client.close()]);
  await client.close();
  await assertNoChildren();
});
