import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { mockResponses, reply } from "@quire/testkit";
import { testServer, unattended } from "../support/test-server.ts";

const weather = {
  type: "namespace",
  name: "weather",
  description: "The weather.",
  tools: [{ type: "function", name: "today", description: "Tells it.", inputSchema: { type: "object" } }],
};

test("a turn with a command, a client's tool and a patch works on an endpoint of open models", async () => {
  await using model = await mockResponses({ strict: true });
  const config = { modelName: "gpt-5.5", config: { "model_providers.mock.base_url": model.url } };
  await using server = await testServer({ config });
  const { client } = server;
  const patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch";
  model.script(
    reply().functionCall("exec_command", { cmd: "echo one; echo two", login: false }),
    reply().functionCall("weather__today", {}).functionCall("apply_patch", { input: patch }),
    reply().text("done"),
  );
  client.handle("item/tool/call", ({ namespace, tool }) => ({
    contentItems: [{ type: "inputText", text: `${namespace} ${tool}: sunny` }],
    success: true,
  }));
  const threadId = await client.thread({ ...unattended, cwd: server.cwd, dynamicTools: [weather] });
  const turn = await client.turn(threadId);
  assert.equal(turn.status, "completed");
  assert.equal(readFileSync(join(server.cwd, "new.txt"), "utf8"), "hello\n");
  const outputs = model.last.body.input.filter(({ type }) => type === "function_call_output");
  assert.match(String(outputs[0]?.output), /one\ntwo/);
  assert.equal(outputs[1]?.output, "weather today: sunny");
  assert.equal(model.refused.length, 1);
  model.script(reply().text("again"));
  await client.turn(threadId);
  const warnings = client.received.filter(({ method }) => method === "warning").map(({ params }) => params.message);
  assert.equal(warnings.filter((message) => /OpenAI's dialect/.test(message)).length, 1);
  assert.equal(model.refused.length, 1);
});
