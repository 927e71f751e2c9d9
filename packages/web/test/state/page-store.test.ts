import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { ThreadSummary } from "../../src/state/model.ts";
import { aResponse, aThread, FakeGateway } from "./support/fake-gateway.ts";

const key = (thread: string) => ({ hub: "h1", thread });
const turn = (id: string, status: string, items: unknown[] = []) => ({ id, status, items, itemsView: "full" });
const said = (id: string, text: string) => ({ type: "agentMessage", id, text });

function summary(gateway: FakeGateway, thread: string): ThreadSummary {
  const found = gateway.store.getState().threads.get(`h1 ${thread}`);
  assert.ok(found !== undefined, `${thread} is not known`);
  return found;
}

test("a recorded turn is shown as it was: open, asked, answered elsewhere, done", async () => {
  const file = new URL("../../../client/test/view/fixtures/approvals-accept.jsonl", import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const messages = lines.map((line) => JSON.parse(line) as { [member: string]: unknown; method?: string });
  const start = messages.find(({ reply }) => reply === "thread/start")?.result as { thread: { id: string } };
  const gateway = new FakeGateway({ "thread/start": () => start });
  await gateway.open();
  const opened = await gateway.actions.newThread("h1");
  const statuses: string[] = [];
  for (const { method, id, params } of messages) {
    if (method === undefined) continue;
    gateway.rpc(id === undefined ? { method, params } : { id, method, params });
    gateway.frame();
    const { status } = summary(gateway, opened.thread);
    if (statuses.at(-1) !== status) statuses.push(status);
  }
  assert.deepEqual(statuses, ["idle", "working", "waiting", "working", "waiting", "working", "idle"]);
  const thread = gateway.thread(opened.thread);
  assert.deepEqual(
    thread.pending.map(({ answered }) => answered),
    [
      { label: "Answered elsewhere, by another client", byMe: false },
      { label: "Answered elsewhere, by another client", byMe: false },
    ],
  );
  assert.equal(thread.turns[0]?.status, "completed");
  assert.notEqual(summary(gateway, opened.thread).preview, "");
});

test("a thread is listed once, whoever names it first", async () => {
  const thread = aThread("t1", { preview: "hello" });
  const gateway = new FakeGateway({
    "thread/list": () => ({ data: [thread, thread], nextCursor: null }),
    "thread/loaded/list": () => ({ data: ["t1"] }),
    "thread/start": () => aResponse(thread),
  });
  await gateway.open();
  gateway.notify("thread/started", { thread });
  await gateway.actions.newThread("h1");
  await gateway.actions.refreshThreads("h1");
  const [hub] = (await gateway.settle()).hubs;
  assert.deepEqual(hub?.threads.value, ["h1 t1"]);
});

test("a hub that comes back is read anew: what was open is resumed, and shown once", async () => {
  let stored = [turn("u1", "inProgress", [said("a", "one")])];
  const gateway = new FakeGateway({
    "thread/resume": () =>
      aResponse(aThread("t1"), { initialTurnsPage: { data: stored.toReversed(), nextCursor: null } }),
  });
  await gateway.open();
  await gateway.actions.openThread(key("t1"));
  gateway.notify("turn/started", { threadId: "t1", turn: turn("u2", "inProgress") });
  await gateway.settle();
  assert.equal(summary(gateway, "t1").status, "working");

  await gateway.update({ state: "reconnecting", attempt: 1 });
  assert.equal(summary(gateway, "t1").status, "disconnected");
  stored = [turn("u1", "completed", [said("a", "one")]), turn("u2", "interrupted", [said("b", "two")])];
  await gateway.update({ state: "ready", attempt: 0, epoch: 2 });
  assert.equal(gateway.asked.filter(({ method }) => method === "thread/resume").length, 2);
  const { turns, items } = gateway.thread("t1");
  assert.deepEqual(
    turns.map(({ id, status, itemIds }) => [id, status, itemIds.length]),
    [
      ["u1", "completed", 1],
      ["u2", "interrupted", 1],
    ],
  );
  assert.equal(items.size, 2);
  assert.equal(summary(gateway, "t1").status, "idle");
});

test("when the gateway itself is lost, calls fail at once and everything is rebuilt when it is back", async () => {
  const gateway = new FakeGateway({
    "thread/resume": () => aResponse(aThread("t1"), { initialTurnsPage: { data: [], nextCursor: null } }),
  });
  await gateway.open();
  await gateway.actions.openThread(key("t1"));
  gateway.held = [];
  const sent = gateway.actions.send(key("t1"), [{ type: "text", text: "hi" }]);
  gateway.drop();
  await assert.rejects(sent, /link to Quire is down/);
  await assert.rejects(gateway.actions.send(key("t1"), [{ type: "text", text: "hi" }]), /link to Quire is down/);
  gateway.held = null;
  await gateway.open();
  assert.equal(summary(gateway, "t1").status, "idle");
  assert.equal(gateway.asked.filter(({ method }) => method === "thread/resume").length, 2);
});

test("an answer of an older load never overwrites a newer one", async () => {
  const gateway = new FakeGateway();
  const answers = ["new", "old"];
  gateway.answers["thread/resume"] = () => {
    const data = [turn(answers.shift() ?? "", "completed")];
    return aResponse(aThread("t1"), { initialTurnsPage: { data, nextCursor: null } });
  };
  await gateway.open();
  gateway.held = [];
  const opened = gateway.actions.openThread(key("t1"));
  gateway.notify("thread/reverted", { threadId: "t1" });
  const [older, newer] = gateway.held;
  newer?.();
  await gateway.settle();
  older?.();
  await opened;
  await gateway.settle();
  assert.deepEqual(
    gateway.thread("t1").turns.map(({ id }) => id),
    ["new"],
  );
});

test("questions are answered once, say so, and come again after a lost link", async () => {
  const gateway = new FakeGateway({
    "thread/resume": () => aResponse(aThread("t1"), { initialTurnsPage: { data: [], nextCursor: null } }),
  });
  await gateway.open();
  await gateway.actions.openThread(key("t1"));
  const params = { threadId: "t1", turnId: "u1", itemId: "c1", command: "ls" };
  gateway.ask("q1", "item/commandExecution/requestApproval", params);
  gateway.ask("q2", "item/commandExecution/requestApproval", params);
  await gateway.settle();
  assert.equal(summary(gateway, "t1").status, "waiting");
  await gateway.actions.answer("q1", { decision: "accept" }, "Approved");
  await gateway.actions.answer("q1", { decision: "decline" }, "Declined");
  gateway.notify("serverRequest/resolved", { threadId: "t1", requestId: "q1" });
  await gateway.settle();
  assert.deepEqual(gateway.replies, [{ id: "q1", result: { decision: "accept" }, error: undefined }]);
  assert.deepEqual(gateway.thread("t1").pending[0]?.answered, { label: "Approved", byMe: true });

  gateway.drop();
  assert.equal(gateway.thread("t1").pending.filter(({ answered }) => answered === null).length, 0);
  await gateway.open();
  gateway.ask("q2", "item/commandExecution/requestApproval", params);
  await gateway.settle();
  assert.equal(summary(gateway, "t1").status, "waiting");
  gateway.notify("turn/completed", { threadId: "t1", turn: turn("u1", "interrupted") });
  await gateway.settle();
  assert.deepEqual(gateway.thread("t1").pending.at(-1)?.answered, {
    label: "Not answered: the turn was stopped",
    byMe: false,
  });
});

test("sub-agents know their parent, and what they ask is shown there too", async () => {
  const gateway = new FakeGateway({
    "thread/resume": () => aResponse(aThread("t1"), { initialTurnsPage: { data: [], nextCursor: null } }),
  });
  await gateway.open();
  await gateway.actions.openThread(key("t1"));
  const child = aThread("t2", { parentThreadId: "t1", agentNickname: "Spruce", agentRole: "explorer" });
  gateway.notify("thread/started", { thread: child });
  // Codex 0.118 tells it in the source alone.
  const spawn = { parent_thread_id: "t2", depth: 2, agent_nickname: "Fir", agent_role: null };
  gateway.notify("thread/started", {
    thread: aThread("t3", { source: { subAgent: { thread_spawn: spawn } } }),
  });
  gateway.ask("q1", "item/commandExecution/requestApproval", { threadId: "t3", turnId: "u", itemId: "c" });
  await gateway.settle();
  assert.deepEqual(
    ["t2", "t3"].map((id) => [summary(gateway, id).parent, summary(gateway, id).agentNickname]),
    [
      ["t1", "Spruce"],
      ["t2", "Fir"],
    ],
  );
  assert.deepEqual(
    gateway.thread("t1").pending.map(({ id }) => id),
    ["q1"],
  );
});

test("what ends out of sight is unread until it is looked at; a sub-agent's end is not news", async () => {
  const gateway = new FakeGateway();
  await gateway.open();
  gateway.notify("thread/started", { thread: aThread("t1") });
  gateway.notify("thread/started", { thread: aThread("t2", { parentThreadId: "t1" }) });
  gateway.store.view(key("t1"));
  for (const threadId of ["t1", "t2"]) gateway.notify("turn/completed", { threadId, turn: turn("u", "completed") });
  await gateway.settle();
  assert.deepEqual([summary(gateway, "t1").unread, summary(gateway, "t2").unread], [false, false]);
  gateway.visible = false;
  gateway.notify("turn/completed", { threadId: "t1", turn: turn("u", "failed") });
  await gateway.settle();
  assert.deepEqual([summary(gateway, "t1").unread, summary(gateway, "t1").status], [true, "failed"]);
  gateway.store.view(key("t1"));
  await gateway.settle();
  assert.equal(summary(gateway, "t1").unread, false);
});

test("servers that say everything twice, and tell no status, look like any other", async () => {
  const gateway = new FakeGateway();
  gateway.hub = { ...gateway.hub, version: "0.98.0" };
  gateway.answers["thread/start"] = () => aResponse(aThread("t1"));
  await gateway.open();
  await gateway.actions.newThread("h1");
  gateway.notify("codex/event/task_started", { conversationId: "t1", msg: {} });
  gateway.notify("turn/started", { threadId: "t1", turn: turn("u", "inProgress") });
  await gateway.settle();
  assert.equal(summary(gateway, "t1").status, "working");
  const at = { threadId: "t1", turnId: "u", itemId: "m" };
  gateway.notify("item/agentMessage/delta", { ...at, delta: "hi" });
  gateway.notify("codex/event/agent_message_delta", { ...at, delta: "hi" });
  await gateway.settle();
  const item = gateway.thread("t1").items.get("m")?.item;
  assert.equal(item?.type === "agentMessage" && item.text, "hi");
  // Steering is not known there: the message starts a turn.
  gateway.answers["turn/start"] = () => ({ turn: turn("u2", "inProgress") });
  await gateway.actions.steer(key("t1"), [{ type: "text", text: "more" }]);
  assert.equal(gateway.asked.at(-1)?.method, "turn/start");
});

test("servers without pages give the whole history at once", async () => {
  const gateway = new FakeGateway({
    "thread/resume": () => aResponse(aThread("t1", { turns: [turn("u1", "completed") as never] })),
  });
  gateway.hub = { ...gateway.hub, version: "0.118.0" };
  await gateway.open();
  await gateway.actions.openThread(key("t1"));
  await gateway.settle();
  assert.deepEqual(gateway.asked.find(({ method }) => method === "thread/resume")?.params, { threadId: "t1" });
  assert.equal(gateway.thread("t1").turns.length, 1);
});

test("a search falls back to names where the server cannot search contents", async () => {
  const gateway = new FakeGateway();
  await gateway.open();
  gateway.answers["thread/list"] = () => ({ data: [aThread("t1", { name: "Login bug" }), aThread("t2")] });
  const hits = await gateway.actions.searchThreads("login");
  assert.deepEqual(
    hits.map((hit) => hit.key.thread),
    ["t1"],
  );
});

test("a frame of streamed text leaves lists and other threads the same objects", async () => {
  const gateway = new FakeGateway({ "thread/start": () => aResponse(aThread("t1")) });
  await gateway.open();
  await gateway.actions.newThread("h1");
  gateway.notify("turn/started", { threadId: "t1", turn: turn("u", "inProgress") });
  const before = await gateway.settle();
  gateway.notify("item/agentMessage/delta", { threadId: "t1", turnId: "u", itemId: "m", delta: "hi" });
  const after = gateway.frame();
  assert.notEqual(after.open, before.open);
  assert.equal(after.hubs, before.hubs);
  assert.equal(after.threads, before.threads);
  assert.equal(after.pending, before.pending);
});
