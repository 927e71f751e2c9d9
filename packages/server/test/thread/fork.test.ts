/** What a fork knows: of a compacted thread, of one whose turn runs, of one that something was injected into. */
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, type MockResponses, reply } from "@quire/testkit";
import { storedInFiles } from "../support/database.ts";
import { input, type TestClient } from "../support/test-client.ts";
import { testHome } from "../support/test-server.ts";

async function say(client: TestClient, threadId: string, text: string): Promise<string> {
  const { turn } = await client.request("turn/start", { threadId, input: input(text) });
  return (await client.waitFor("turn/completed", (told) => told.turn.id === turn.id)).turn.id;
}

/** What the model was last sent, from the first message of the user's own on; messages by their words, others by type. */
function sent(model: MockResponses): string[] {
  const items = model.requests.at(-1)?.body.input as { type: string; content?: { text: string }[] }[];
  const shown = items.map(({ type, content }) => content?.map(({ text }) => text).join() ?? type);
  return shown.slice(shown.findLastIndex((text) => text.includes("<environment_context>")) + 1);
}

async function compacted(client: TestClient, model: MockResponses): Promise<{ threadId: string; turns: string[] }> {
  const threadId = await client.thread();
  const turns = [await say(client, threadId, "first"), await say(client, threadId, "second")];
  model.script(reply().text("THE SUMMARY"));
  await client.request("thread/compact/start", { threadId });
  await client.waitFor("turn/completed", ({ turn }) => !turns.includes(turn.id));
  turns.push(await say(client, threadId, "third"));
  return { threadId, turns };
}

test("a fork that ends before a compaction has the words themselves, and so has one that is reverted to before it", async () => {
  await using home = await testHome();
  home.model.fallback(() => reply().text("ok"));
  const { client, close } = await home.open();
  const { threadId, turns } = await compacted(client, home.model);
  const early = await client.request("thread/fork", { threadId, lastTurnId: turns[0] });
  await say(client, early.thread.id, "go on");
  assert.deepEqual(sent(home.model), ["first", "ok", "go on"]);

  const whole = await client.request("thread/fork", { threadId });
  await say(client, whole.thread.id, "go on");
  const after = sent(home.model);
  assert.deepEqual([after[0], after[1], ...after.slice(3)], ["first", "second", "third", "ok", "go on"]);
  assert.match(after[2] ?? "", /THE SUMMARY/);
  await close();

  const { client: again } = await home.open();
  await again.request("thread/resume", { threadId: whole.thread.id });
  await again.request("thread/revert", { threadId: whole.thread.id, beforeTurnId: turns[1] });
  await say(again, whole.thread.id, "go on");
  assert.deepEqual(sent(home.model), ["first", "ok", "go on"]);
});

test("a fork knows nothing of what was injected after the turn that it ends with", async () => {
  await using home = await testHome();
  home.model.fallback(() => reply().text("ok"));
  const { client } = await home.open();
  const threadId = await client.thread();
  const inject = (text: string) =>
    client.request("thread/inject_items", {
      threadId,
      items: [{ type: "message", role: "user", content: [{ type: "input_text", text }] }],
    });
  const first = await say(client, threadId, "first");
  await inject("early");
  await say(client, threadId, "second");
  await inject("late");
  const { thread } = await client.request("thread/fork", { threadId, lastTurnId: first });
  await say(client, thread.id, "go on");
  assert.deepEqual(sent(home.model), ["first", "ok", "early", "go on"]);
});

test("a fork of a thread whose command runs shows none as running, and the model is told that it was aborted", async () => {
  await using home = await testHome();
  const { client } = await home.open();
  const cmd = "touch running; until [ -e go ]; do sleep 0.05; done";
  home.model.script(reply().functionCall("exec_command", { cmd, login: false, yield_time_ms: 30_000 }));
  home.model.fallback(() => reply().text("ok"));
  const threadId = await client.thread({ cwd: home.home, sandbox: "danger-full-access", approvalPolicy: "never" });
  const { turn } = await client.request("turn/start", { threadId, input: input("wait") });
  await eventually(() => existsSync(join(home.home, "running")), { what: "the command" });
  const { thread } = await client.request("thread/fork", { threadId });
  const [copied] = thread.turns;
  const statuses = copied.items.map(({ type, status }: { type: string; status?: string }) => [type, status]);
  assert.equal(copied.status, "interrupted");
  assert.deepEqual(statuses, [
    ["userMessage", undefined],
    ["commandExecution", "failed"],
  ]);
  await say(client, thread.id, "go on");
  assert.deepEqual(
    sent(home.model).filter((text) => !text.startsWith("<turn_aborted>")),
    ["wait", "function_call", "function_call_output", "go on"],
  );
  writeFileSync(join(home.home, "go"), "");
  await client.waitFor("turn/completed", (told) => told.turn.id === turn.id);
});

if (storedInFiles) {
  test("a fork that cannot be stored is refused with the reason, and is not left loaded", async () => {
    await using home = await testHome();
    home.model.fallback(() => reply().text("ok"));
    const { client } = await home.open();
    const threadId = await client.thread();
    await say(client, threadId, "first");
    rmSync(join(home.home, "locks"), { recursive: true });
    writeFileSync(join(home.home, "locks"), "");
    const refused = { code: -32603, message: /cannot write to .*locks.*check the folder's permissions/ };
    await assert.rejects(client.request("thread/fork", { threadId }), refused);
    await eventually(async () => (await client.request("thread/loaded/list", {})).data.length === 1, {
      what: "one thread",
    });
  });
}
