import assert from "node:assert/strict";
import { test } from "node:test";
import { mockResponses, reply } from "@quire/testkit";
import { input } from "../support/test-client.ts";
import { testServer, unattended } from "../support/test-server.ts";

test("almost-JSON is run as it was meant, and what cannot be read goes back with the reason", async () => {
  await using model = await mockResponses({ strict: true });
  const config = { config: { "model_providers.mock.base_url": model.url, "model_providers.mock.dialect": "plain" } };
  await using server = await testServer({ config });
  const { client } = server;
  const threadId = await client.thread({ ...unattended, cwd: server.cwd });
  const raw = (args: string) => reply().functionCall("exec_command", args);
  model.script(raw("{'cmd': 'echo fine', login: False}"), raw('{"cmd": "echo ha'), reply().text("done"));
  assert.equal((await client.turn(threadId)).status, "completed");
  const outputs = model.last.body.input.filter(({ type }) => type === "function_call_output");
  assert.match(String(outputs[0]?.output), /fine/);
  assert.match(String(outputs[1]?.output), /failed to parse function arguments/);
});

test("a model with a small window gets a compact prompt and few tools, or as the user says", async () => {
  const requestOf = async (toml: string) => {
    await using server = await testServer({ config: { toml } });
    const threadId = await server.client.thread({ ...unattended, cwd: server.cwd });
    await server.client.turn(threadId);
    const { body } = server.model.last;
    return { size: JSON.stringify(body).length, names: body.tools?.map(({ type, name }) => name ?? type) ?? [] };
  };
  const full = await requestOf("");
  const small = await requestOf('[models."mock-model"]\ncontext_window = 8192\n');
  assert.deepEqual(small.names, ["exec_command", "write_stdin", "web_search"]);
  assert.ok(small.size < full.size * 0.6, `${small.size} of ${full.size}`);
  const byHand = await requestOf('[models."mock-model"]\nsmall = true\n');
  assert.deepEqual(byHand.names, small.names);
  const never = await requestOf('[models."mock-model"]\ncontext_window = 8192\nsmall = false\n');
  assert.deepEqual(never.names, full.names);
});

test("the window is that of the model in use, also after a switch", async () => {
  const toml = "[models.small]\ncontext_window = 20000\n[models.big]\ncontext_window = 100000\n";
  await using server = await testServer({ config: { toml } });
  const { client, model } = server;
  model.fallback(reply().text("ok").usage({ input: 100, output: 5 }));
  const windows = () => client.all("thread/tokenUsage/updated").map(({ tokenUsage }) => tokenUsage.modelContextWindow);
  const full = await client.thread({ ...unattended, cwd: server.cwd, model: "big" });
  await client.turn(full);
  const tools = model.last.tools().length;
  const threadId = await client.thread({ ...unattended, cwd: server.cwd, model: "small" });
  await client.turn(threadId);
  assert.deepEqual(windows(), [95_000, 19_000]);
  assert.ok(model.last.tools().length < tools / 2, "a small model gets few tools, whoever has chosen it");
  const { turn } = await client.request("turn/start", { threadId, input: input("go"), model: "big" });
  await client.ended(turn.id);
  assert.deepEqual(windows(), [95_000, 19_000, 95_000]);
});
