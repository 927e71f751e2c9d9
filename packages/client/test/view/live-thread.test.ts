import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveThread, openThread, ThreadView } from "@quire/client/view";
import type { Thread, ThreadResumeResponse, Turn } from "@quire/protocol";
import { FakePort } from "../support/fake-port.ts";

const aTurn = (id: string, status: Turn["status"] = "completed"): Turn => ({
  ...{ id, items: [], itemsView: "full" as const, status },
});
const aThread = (turns: Turn[] = [], preview = "Hello"): Thread => ({ id: "t", preview, cwd: "/work", turns }) as never;
const resumed = (turns: Turn[]): ThreadResumeResponse =>
  ({
    thread: aThread(),
    model: "gpt-5.5",
    initialTurnsPage: { data: turns.toReversed(), nextCursor: null },
  }) as never;
const delta = (text: string, threadId = "t") => ({ threadId, turnId: "u2", itemId: "m", delta: text });
const ids = (view: ThreadView): string[] => view.snapshot().turns.map(({ id }) => id);
const text = (view: ThreadView): unknown =>
  (view.snapshot().items.get("m")?.item as { text?: string } | undefined)?.text;
const refuse = () => Promise.reject(new Error("no rollout"));

test("listeners run once for many changes, and the snapshot is the same object until there is one", async () => {
  const drawn: (() => void)[] = [];
  const view = new ThreadView({ schedule: (run) => drawn.push(run) });
  let calls = 0;
  const stop = view.subscribe(() => calls++);
  for (const piece of ["a", "b", "c"]) view.applyNotification("item/agentMessage/delta", delta(piece));
  assert.equal(drawn.length, 1);
  drawn.pop()?.();
  assert.equal(calls, 1);
  assert.equal(text(view), "abc");
  assert.equal(view.snapshot(), view.snapshot());
  assert.equal(drawn.length, 0, "reading is no change");
  stop();
  view.applyNotification("item/agentMessage/delta", delta("d"));
  assert.equal(drawn.length, 0, "nobody listens");
  assert.equal(view.applyNotification("account/updated", {}), false);
  assert.equal(view.applyNotification("toString", {}), false);
});

test("an opened thread has its history, follows its own notifications, and stops when it is closed", async () => {
  const port = new FakePort().on("thread/resume", () => resumed([aTurn("u1")]));
  const described: Thread[] = [];
  const view = await openThread(port, "t", { onThread: (thread) => described.push(thread) });
  assert.deepEqual(ids(view), ["u1"]);
  assert.equal(described.length, 1);
  const { loading, error, settings } = view.snapshot();
  assert.deepEqual({ loading, error, model: settings.model }, { loading: false, error: null, model: "gpt-5.5" });
  port.send("turn/started", { threadId: "t", turn: aTurn("u2", "inProgress") });
  port.send("item/agentMessage/delta", delta("mine"));
  port.send("item/agentMessage/delta", delta("another thread's", "other"));
  assert.equal(text(view), "mine");
  assert.equal(view.snapshot().activeTurn, "u2");
  assert.equal(view.snapshot(), view.snapshot());
  view.close();
  assert.equal(port.listeners, 0);
});

test("after a lost connection the turn that ran is read anew", async () => {
  let stored: Turn[] = [];
  const port = new FakePort().on("thread/resume", () => resumed(stored));
  const view = await openThread(port, "t");
  port.send("turn/started", { threadId: "t", turn: aTurn("u1", "inProgress") });
  stored = [{ ...aTurn("u1"), items: [{ type: "agentMessage", id: "m", text: "missed" }] }, aTurn("u2")];
  const loaded = new Promise<void>((resolve) => view.subscribe(() => view.snapshot().turns.length === 2 && resolve()));
  port.reconnect();
  await loaded;
  assert.deepEqual(ids(view), ["u1", "u2"]);
  assert.equal(text(view), "missed");
  assert.equal(view.snapshot().activeTurn, null);
});

test("a history that was cut on the server is replaced", async () => {
  let stored = [aTurn("u1"), aTurn("u2")];
  const port = new FakePort().on("thread/resume", () => resumed(stored));
  const view = await openThread(port, "t");
  stored = [aTurn("u1")];
  const loaded = new Promise<void>((resolve) => view.subscribe(() => view.snapshot().turns.length === 1 && resolve()));
  port.send("thread/reverted", { threadId: "t" } as never);
  await loaded;
  assert.deepEqual(ids(view), ["u1"]);
});

test("a thread that cannot be resumed is read; a new one is empty; any other says why", async () => {
  const archived = new FakePort()
    .on("thread/resume", refuse)
    .on("thread/read", () => ({ thread: aThread([aTurn("u1")]) }));
  assert.deepEqual(ids(await openThread(archived, "t")), ["u1"]);
  const unread = (preview: string) =>
    new FakePort()
      .on("thread/resume", refuse)
      .on("thread/read", ({ includeTurns }) => (includeTurns ? refuse() : { thread: aThread([], preview) }));
  assert.equal((await openThread(unread(""), "t")).snapshot().error, null);
  const failed = new LiveThread(unread("Hello"), "t");
  await failed.load();
  assert.equal(failed.snapshot().error, "no rollout");
});
