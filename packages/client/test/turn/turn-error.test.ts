import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { CodexClient, TurnError } from "@quire/client";
import { scriptedServer } from "@quire/testkit";

const failing = { items: [{ type: "message", text: "On it." }], error: { message: "The model is gone" } } as const;

test("a loop over a failed turn's events throws its error after the last of them", async () => {
  await using server = scriptedServer();
  server.turn(failing);
  await using client = new CodexClient({ transport: server.transport });
  await client.connect();
  const turn = (await client.thread()).run("go");
  const seen: string[] = [];
  const loop = async () => {
    for await (const event of turn) seen.push(event.type);
  };
  const error = await loop().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(TurnError.is(error));
  assert.equal(seen.at(-1), "turn.completed");
  await assert.rejects(Promise.resolve(turn), (thrown) => thrown === error);
});

test("a failed turn's error points at the line that asked for it and prints a screenful", async () => {
  await using server = scriptedServer();
  const text = "a long answer ".repeat(2000);
  server.turn({ ...failing, items: [{ type: "message", text }] });
  await using client = new CodexClient({ transport: server.transport });
  await client.connect();
  const thread = await client.thread();
  async function askForTheTurn() {
    await thread.run("go");
  }
  const error = await askForTheTurn().catch((thrown: unknown) => thrown);
  assert.ok(TurnError.is(error));
  assert.match(error.stack ?? "", /^TurnError: The model is gone\n.*askForTheTurn.*turn-error\.test/s);
  assert.equal(error.result.agentMessage, text);
  assert.ok(inspect(error).length < 4000, `${inspect(error).length} characters`);
});
