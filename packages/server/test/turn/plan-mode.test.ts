/** Plan mode: the plan is an item of its own, and the history keeps what the model said. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gate, reply } from "@quire/testkit";
import { type TestServer, testServer, unattended } from "../support/test-server.ts";

const block = "<proposed_plan>\n- do it\n</proposed_plan>";

async function inPlanMode(server: TestServer, home: string): Promise<string> {
  const threadId = await server.client.thread({ ...unattended, cwd: home });
  const collaborationMode = { mode: "plan", settings: { model: "mock-model" } };
  await server.client.request("thread/settings/update", { threadId, collaborationMode });
  return threadId;
}

test("a proposed plan is an item, what is said around it another, and the model finds its own words again", async () => {
  await using server = await testServer();
  const threadId = await inPlanMode(server, server.home);
  server.model.script(reply().text(`Look:\n${block}\nGood?`, { chunks: 9 }), reply().text(block));
  const { id } = await server.client.turn(threadId);
  const shown = server.client.items.flatMap((item) =>
    item.type === "plan" || item.type === "agentMessage" ? [[item.type, item.id.startsWith(id), item.text]] : [],
  );
  assert.deepEqual(shown, [
    ["plan", true, "- do it\n"],
    ["agentMessage", false, "Look:\nGood?"],
  ]);
  await server.client.turn(threadId);
  assert.match(JSON.stringify(server.model.last?.body.input), /Look:\\n<proposed_plan>/);
  const { thread } = (await server.client.request("thread/read", { threadId, includeTurns: true })) as {
    thread: { turns: { items: { type: string }[] }[] };
  };
  assert.deepEqual(
    thread.turns[1]?.items.map(({ type }) => type),
    ["userMessage", "plan"],
    "a message that is nothing but a plan is no message",
  );
});

test("a plan that is interrupted ends with what there is of it", async () => {
  await using server = await testServer();
  const threadId = await inPlanMode(server, server.home);
  const held = gate();
  server.model.script(reply().text(["<proposed_plan>\n- half", held, "\n</proposed_plan>"]));
  const begun = new Promise((resolve) => server.client.on("item/plan/delta", resolve));
  const ended = server.client.turn(threadId);
  await begun;
  await server.client.interrupt(threadId);
  assert.equal((await ended).status, "interrupted");
  assert.deepEqual(
    server.client.items.flatMap((item) => (item.type === "plan" ? [item.text] : [])),
    ["- half"],
  );
  held.open();
});
