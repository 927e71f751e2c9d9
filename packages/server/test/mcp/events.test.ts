/** Events of MCP servers: a client subscribes, hears what happens, and stops hearing it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { full, session } from "./session.ts";

type Session = Awaited<ReturnType<typeof session>>;

/** What was heard, by subscription. */
function heard({ client }: Session, subscriptionId: string): [string, unknown][] {
  return client.received.flatMap(({ method, params }) =>
    method === "mcpServer/event/stream/notification" && params.subscriptionId === subscriptionId
      ? [[params.notification.method.split("/").at(-1), params.notification.params.data ?? null] as [string, unknown]]
      : [],
  );
}

async function subscribed(it: Session) {
  const threadId = await it.client.thread(full);
  const start = (subscriptionId: string, args: object = {}) =>
    it.client.request("mcpServer/event/stream/start", {
      threadId,
      server: "srv",
      name: subscriptionId,
      arguments: args,
      subscriptionId,
    });
  const happen = async (args: object) => {
    const { content } = await it.client.request("mcpServer/tool/call", {
      threadId,
      server: "srv",
      tool: "happen",
      arguments: args,
    });
    return Number(content[0].text);
  };
  return { threadId, start, happen };
}

test("events reach the subscription that they are meant for, until it is stopped or the server ends it", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const { start, happen } = await subscribed(it);
  await start("one");
  await start("two");
  assert.deepEqual(heard(it, "one"), [["active", null]], "active before the reply");
  assert.equal(await happen({ text: "first" }), 2);
  await eventually(() => heard(it, "one").length === 2 && heard(it, "two").length === 2);
  await it.client.request("mcpServer/event/stream/stop", { subscriptionId: "one" });
  await eventually(async () => (await happen({ text: "second" })) === 1, { what: "the server to hear of it" });
  await happen({ text: "last", end: "two" });
  await eventually(() => heard(it, "two").at(-1)?.[0] === "terminated");
  assert.deepEqual(
    heard(it, "one").filter(([, data]) => data === "last"),
    [],
  );
  assert.ok(heard(it, "two").some(([, data]) => data === "last"));
});

test("a subscription that cannot be had is refused, and its name is free again", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const { threadId, start } = await subscribed(it);
  await assert.rejects(start("one", { refuse: true }), /ended before becoming active/);
  assert.deepEqual(heard(it, "one"), [], "nothing was told of it");
  await start("one");
  await assert.rejects(start("one"), /already exists/);
  const elsewhere = { threadId, server: "none", name: "n", arguments: {}, subscriptionId: "s" };
  await assert.rejects(it.client.request("mcpServer/event/stream/start", elsewhere), /'none' is none/);
});
