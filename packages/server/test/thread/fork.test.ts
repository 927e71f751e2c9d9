/** What a fork knows: of a compacted thread, of one whose turn runs, of one that something was injected into. */
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, type MockResponses, reply } from "@quire/testkit";
import { house, input } from "../support/house.ts";
import type { Talk } from "../support/talk.ts";

async function say(talk: Talk, threadId: string, text: string): Promise<string> {
  const { turn } = await talk.call("turn/start", { threadId, input: input(text) });
  return (await talk.told("turn/completed", (told) => told.turn.id === turn.id)).turn.id;
}

/** What the model was last sent, from the first message of the user's own on; messages by their words, others by type. */
function sent(model: MockResponses): string[] {
  const items = model.requests.at(-1)?.body.input as { type: string; content?: { text: string }[] }[];
  const shown = items.map(({ type, content }) => content?.map(({ text }) => text).join() ?? type);
  return shown.slice(shown.findLastIndex((text) => text.includes("<environment_context>")) + 1);
}

async function compacted(talk: Talk, model: MockResponses): Promise<{ threadId: string; turns: string[] }> {
  const threadId = await talk.thread();
  const turns = [await say(talk, threadId, "first"), await say(talk, threadId, "second")];
  model.script(reply().text("THE SUMMARY"));
  await talk.call("thread/compact/start", { threadId });
  await talk.told("turn/completed", ({ turn }) => !turns.includes(turn.id));
  turns.push(await say(talk, threadId, "third"));
  return { threadId, turns };
}

test("a fork that ends before a compaction has the words themselves, and so has one that is reverted to before it", async () => {
  await using home = await house();
  home.model.fallback(() => reply().text("ok"));
  const { talk, end } = await home.open();
  const { threadId, turns } = await compacted(talk, home.model);
  const early = await talk.call("thread/fork", { threadId, lastTurnId: turns[0] });
  await say(talk, early.thread.id, "go on");
  assert.deepEqual(sent(home.model), ["first", "ok", "go on"]);

  const whole = await talk.call("thread/fork", { threadId });
  await say(talk, whole.thread.id, "go on");
  const after = sent(home.model);
  assert.deepEqual([after[0], after[1], ...after.slice(3)], ["first", "second", "third", "ok", "go on"]);
  assert.match(after[2] ?? "", /THE SUMMARY/);
  await end();

  const { talk: again } = await home.open();
  await again.call("thread/resume", { threadId: whole.thread.id });
  await again.call("thread/revert", { threadId: whole.thread.id, beforeTurnId: turns[1] });
  await say(again, whole.thread.id, "go on");
  assert.deepEqual(sent(home.model), ["first", "ok", "go on"]);
});

test("a fork knows nothing of what was injected after the turn that it ends with", async () => {
  await using home = await house();
  home.model.fallback(() => reply().text("ok"));
  const { talk } = await home.open();
  const threadId = await talk.thread();
  const inject = (text: string) =>
    talk.call("thread/inject_items", {
      threadId,
      items: [{ type: "message", role: "user", content: [{ type: "input_text", text }] }],
    });
  const first = await say(talk, threadId, "first");
  await inject("early");
  await say(talk, threadId, "second");
  await inject("late");
  const { thread } = await talk.call("thread/fork", { threadId, lastTurnId: first });
  await say(talk, thread.id, "go on");
  assert.deepEqual(sent(home.model), ["first", "ok", "early", "go on"]);
});

test("a fork of a thread whose command runs shows none as running, and the model is told that it was aborted", async () => {
  await using home = await house();
  const { talk } = await home.open();
  const cmd = "touch running; until [ -e go ]; do sleep 0.05; done";
  home.model.script(reply().functionCall("exec_command", { cmd, login: false, yield_time_ms: 30_000 }));
  home.model.fallback(() => reply().text("ok"));
  const threadId = await talk.thread({ cwd: home.home, sandbox: "danger-full-access", approvalPolicy: "never" });
  const { turn } = await talk.call("turn/start", { threadId, input: input("wait") });
  await eventually(() => existsSync(join(home.home, "running")), { what: "the command" });
  const { thread } = await talk.call("thread/fork", { threadId });
  const [copied] = thread.turns;
  const statuses = copied.items.map(({ type, status }: { type: string; status?: string }) => [type, status]);
  assert.equal(copied.status, "interrupted");
  assert.deepEqual(statuses, [
    ["userMessage", undefined],
    ["commandExecution", "failed"],
  ]);
  await say(talk, thread.id, "go on");
  assert.deepEqual(
    sent(home.model).filter((text) => !text.startsWith("<turn_aborted>")),
    ["wait", "function_call", "function_call_output", "go on"],
  );
  writeFileSync(join(home.home, "go"), "");
  await talk.told("turn/completed", (told) => told.turn.id === turn.id);
});

test("a fork that cannot be stored is refused with the reason, and is not left loaded", async () => {
  await using home = await house();
  home.model.fallback(() => reply().text("ok"));
  const { talk } = await home.open();
  const threadId = await talk.thread();
  await say(talk, threadId, "first");
  rmSync(join(home.home, "locks"), { recursive: true });
  writeFileSync(join(home.home, "locks"), "");
  const refused = { code: -32603, message: /cannot write to .*locks.*check the folder's permissions/ };
  await assert.rejects(talk.call("thread/fork", { threadId }), refused);
  await eventually(async () => (await talk.call("thread/loaded/list", {})).data.length === 1, { what: "one thread" });
});
