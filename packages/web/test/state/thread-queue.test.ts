import assert from "node:assert/strict";
import { test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { aResponse, aThread, FakeGateway } from "./support/fake-gateway.ts";

const key = { hub: "h1", thread: "t1" };
const text = (words: string) => ({ type: "text" as const, text: words, text_elements: [] });
const queued = (id: string) => ({ id, clientUserMessageId: id, input: [text(id)] });

/** A page that shows a thread with what waits at the server. */
async function opened(waiting: { now: readonly unknown[] }, version = codexVersion): Promise<FakeGateway> {
  const gateway = new FakeGateway({
    "thread/resume": () => aResponse(aThread("t1")),
    "thread/queue/list": () => ({ data: waiting.now, nextCursor: null }),
  });
  gateway.hub = { ...gateway.hub, version };
  await gateway.open();
  await gateway.actions.openThread(key);
  await gateway.settle();
  return gateway;
}

const shown = (gateway: FakeGateway) => gateway.thread("t1").queue?.map(({ id }) => id) ?? null;

test("what other clients queue, change and take is shown as the server has it", async () => {
  const waiting = { now: [queued("a")] as readonly unknown[] };
  const gateway = await opened(waiting);
  assert.deepEqual(shown(gateway), ["a"]);
  waiting.now = [queued("b"), queued("a")];
  gateway.notify("thread/queue/changed", { threadId: "t1" });
  await gateway.settle();
  assert.deepEqual(shown(gateway), ["b", "a"]);
});

test("an answer that was overtaken does not bring back what is gone", async () => {
  const waiting = { now: [queued("a")] as readonly unknown[] };
  const gateway = await opened(waiting);
  gateway.held = [];
  gateway.notify("thread/queue/changed", { threadId: "t1" });
  gateway.notify("thread/queue/changed", { threadId: "t1" });
  const [first, second] = gateway.held;
  gateway.held = null;
  waiting.now = [];
  second?.();
  waiting.now = [queued("a")];
  first?.();
  await gateway.settle();
  assert.deepEqual(shown(gateway), []);
});

test("servers without a queue are not asked, or say so; messages then wait in the page", async () => {
  const old = await opened({ now: [] }, "0.118.0");
  assert.equal(shown(old), null);
  assert.ok(!old.asked.some(({ method }) => method === "thread/queue/list"));
  const gateway = await opened({ now: [] });
  gateway.answers["thread/queue/list"] = () => {
    throw { code: -32600, message: "ephemeral thread does not support queued submissions" };
  };
  gateway.notify("thread/queue/changed", { threadId: "t1" });
  await gateway.settle();
  assert.equal(shown(gateway), null);
});

test("what is chosen with a queued message is told before it", async () => {
  const gateway = await opened({ now: [] });
  gateway.answers["thread/settings/update"] = () => ({});
  gateway.answers["thread/queue/add"] = () => ({ queuedSubmission: queued("a") });
  await gateway.actions.queueAdd(key, [text("a")], { model: "m2" });
  await gateway.actions.queueAdd(key, [text("b")]);
  const sent = gateway.asked.filter(({ method }) => /settings\/update|queue\/add/.test(method));
  assert.deepEqual(
    sent.map(({ method }) => method),
    ["thread/settings/update", "thread/queue/add", "thread/queue/add"],
  );
  assert.equal(sent[0]?.params.model, "m2");
});
