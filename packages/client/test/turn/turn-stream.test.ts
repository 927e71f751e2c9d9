import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexClient, TurnError, type TurnResult, type TurnStream } from "@quire/client";
import { gate, scriptedServer } from "@quire/testkit";

test("an async function can return a running turn, which is read and awaited by its caller", async () => {
  await using server = scriptedServer();
  const held = gate();
  server.turn({ items: [{ type: "wait", until: held }], text: "Done." });
  await using client = await CodexClient.connect(server.transport);
  const thread = await client.thread();
  async function begin(): Promise<TurnStream<TurnResult>> {
    return thread.stream("go");
  }
  const turn = await begin();
  assert.ok(!("then" in turn));
  held.open();
  const kinds: string[] = [];
  for await (const event of turn) kinds.push(event.type);
  assert.equal(kinds.at(-1), "turn.completed");
  const { agentMessage } = await turn.result;
  assert.equal(agentMessage, "Done.");
});

test("a streamed turn that fails rejects its result, and counts as handled by its loop alone", async () => {
  await using server = scriptedServer();
  server.turn({ error: { message: "The model is gone" } });
  await using client = await CodexClient.connect(server.transport);
  const turn = (await client.thread()).stream("go");
  await assert.rejects(async () => {
    for await (const _ of turn);
  }, TurnError);
  await assert.rejects(turn.result, TurnError);
});
