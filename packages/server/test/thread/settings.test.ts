/** What a thread may do, and with which model, is the same when a later server opens it again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { input, type TestClient } from "../support/test-client.ts";
import { type TestHome, testHome } from "../support/test-server.ts";

const little = { model: "model-9", sandbox: "read-only", approvalPolicy: "untrusted" };
const item = { type: "message", role: "user", content: [{ type: "input_text", text: "injected" }] };

async function say(client: TestClient, threadId: string): Promise<void> {
  const { turn } = await client.request("turn/start", { threadId, input: input("hi") });
  await client.waitFor("turn/completed", (told) => told.turn.id === turn.id);
}

/** Makes a thread on one server, and resumes it on the next. */
async function reopened(home: TestHome, make: (client: TestClient) => Promise<string>) {
  home.model.fallback(() => reply().text("ok"));
  const first = await home.open();
  const threadId = await make(first.client);
  await first.close();
  const { client } = await home.open();
  const result = await client.request("thread/resume", { threadId });
  return { client, threadId, settings: [result.model, result.sandbox.type, result.approvalPolicy] };
}

const kept = ["model-9", "readOnly", "untrusted"];

test("a thread that was only named keeps its settings, and is found each time it is resumed", async () => {
  await using home = await testHome();
  const { client, threadId, settings } = await reopened(home, async (first) => {
    const id = await first.thread(little);
    await first.request("thread/name/set", { threadId: id, name: "Named" });
    return id;
  });
  assert.deepEqual(settings, kept);
  assert.equal((await client.request("thread/resume", { threadId })).thread.name, "Named");
});

test("a thread into which something was injected keeps its settings", async () => {
  await using home = await testHome();
  const { settings } = await reopened(home, async (first) => {
    const threadId = await first.thread(little);
    await first.request("thread/inject_items", { threadId, items: [item] });
    return threadId;
  });
  assert.deepEqual(settings, kept);
});

test("settings that were changed in the middle of a turn are kept, also if the turn never ends", async () => {
  await using home = await testHome();
  const { settings } = await reopened(home, async (first) => {
    const threadId = await first.thread();
    home.model.script(reply().text(["begun", new Promise<void>(() => undefined)]));
    await first.request("turn/start", { threadId, input: input("hi") });
    await first.waitFor("item/agentMessage/delta");
    const { model, approvalPolicy } = little;
    const sandboxPolicy = { type: "readOnly" };
    await first.request("thread/settings/update", { threadId, model, approvalPolicy, sandboxPolicy });
    return threadId;
  });
  assert.deepEqual(settings, kept);
});

test("settings that were changed between turns are kept", async () => {
  await using home = await testHome();
  const { settings } = await reopened(home, async (first) => {
    const threadId = await first.thread();
    await say(first, threadId);
    const { model, approvalPolicy } = little;
    await first.request("thread/settings/update", {
      threadId,
      model,
      approvalPolicy,
      sandboxPolicy: { type: "readOnly" },
    });
    return threadId;
  });
  assert.deepEqual(settings, kept);
});

test("a fork keeps the settings and the configuration that it was made with", async () => {
  await using home = await testHome();
  const { client, threadId, settings } = await reopened(home, async (first) => {
    const source = await first.thread({ config: { model_reasoning_summary: "concise" } });
    await say(first, source);
    const config = { model_verbosity: "low" };
    return (await first.request("thread/fork", { threadId: source, ...little, config })).thread.id;
  });
  assert.deepEqual(settings, kept);
  await say(client, threadId);
  const body = home.model.requests.at(-1)?.body;
  assert.deepEqual([body?.text, body?.reasoning], [{ verbosity: "low" }, { summary: "concise" }]);
});
