import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexClient } from "@quire/client";
import { gate, random, scriptedServer } from "@quire/testkit";

const pieces = [
  "word ",
  "",
  '"',
  "\\",
  "\\n",
  "\n",
  "\u2028",
  "é",
  "😀",
  "\u0000",
  "}}",
  '"},"emittedAtMs":1}',
  ',"delta":"',
  "\t",
];

test("pieces of text arrive as they were written, whatever is in them and whatever stands around them", async () => {
  const chance = random(23);
  await using server = scriptedServer();
  const held = gate();
  server.turn({ items: [{ type: "wait", until: held }] });
  await using client = new CodexClient({ transport: server.transport });
  await client.connect();
  const thread = await client.thread();
  const raw: unknown[] = [];
  client.on("notification", (message) => {
    if (message.method === "item/agentMessage/delta") raw.push(message);
  });
  const turn = thread.run("go");
  const turnId = await turn.id;
  const sent = Array.from({ length: 2000 }, () => {
    const params = {
      threadId: thread.id,
      turnId,
      itemId: chance.pick(["one", 'tw"o', "one", "one"]),
      delta: Array.from({ length: chance.int(0, 3) }, () => chance.pick(pieces)).join(""),
    };
    const message = { method: "item/agentMessage/delta", params };
    return chance.pick([
      { ...message, emittedAtMs: 1_763_000_000_000 + chance.int(0, 3) },
      { ...message, emittedAtMs: 1_763_000_000_000 },
      message,
      { ...message, params: { ...params, phase: "later versions may say more" } },
      { params, method: message.method },
    ]);
  });
  for (const message of sent) server.sendRaw(JSON.stringify(message));
  held.open();
  const heard: string[] = [];
  for await (const event of turn) if (event.type === "agentMessage.delta") heard.push(event.delta);
  assert.deepEqual(raw, sent);
  assert.deepEqual(
    heard,
    sent.map(({ params }) => params.delta),
  );
});

test("pieces of text that came just before the connection ended are heard before its end", async () => {
  await using server = scriptedServer();
  const held = gate();
  server.turn({ items: [{ type: "wait", until: held }] });
  await using client = new CodexClient({ transport: server.transport });
  await client.connect();
  const thread = await client.thread();
  const turn = thread.run("go");
  const turnId = await turn.id;
  const heard: string[] = [];
  const reading = (async () => {
    for await (const event of turn) if (event.type === "agentMessage.delta") heard.push(event.delta);
  })();
  for (const delta of ["a", "b", "c"]) {
    const params = { threadId: thread.id, turnId, itemId: "one", delta };
    server.sendRaw(JSON.stringify({ method: "item/agentMessage/delta", params }));
  }
  const closing = server.close();
  await assert.rejects(reading, { name: "ConnectionError" });
  await assert.rejects(async () => turn);
  await closing;
  assert.deepEqual(heard, ["a", "b", "c"]);
});
