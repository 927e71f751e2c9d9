/** A server that is a child process and dies, in every way in which a process can. */
import assert from "node:assert/strict";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type ClientState, CodexClient, ConnectionError, TurnError } from "@quire/client";
import { assertNoChildren, eventually, tempDir } from "@quire/testkit";
import { appServer } from "./support/child.ts";
import { collect, kinds } from "./support/events.ts";
import { rejection, test } from "./support/test.ts";

/** The first wait before a respawn: no test needs a longer one. */
const reconnect = { baseMs: 1, maxMs: 5, attempts: 5 };

test("a child killed in the middle of a turn: the turn and pending calls say how it ended and what it said", async () => {
  const client = await CodexClient.spawn({ command: appServer() });
  const thread = await client.thread();
  const call = rejection(client.requestUntyped("silent", {}));
  const turn = thread.run("die SIGKILL");
  const iterated = rejection(collect(turn));
  const error = await rejection(turn);
  for (const each of [error, await call]) {
    assert.ok(ConnectionError.is(each));
    assert.equal(each.code, "closed");
    assert.equal(each.signal, "SIGKILL");
    assert.equal(each.mayHaveRun, true);
    assert.match(each.stderr, /die SIGKILL/);
    assert.match(each.message, /SIGKILL/);
  }
  assert.equal(await iterated, error);
  assert.equal(client.state, "closed");
  const late = await rejection(client.requestUntyped("late", {}));
  assert.ok(ConnectionError.is(late) && late.signal === "SIGKILL" && !late.mayHaveRun);
  await client.close();
  await assertNoChildren();
});

test("a child that exits in the middle of a turn: the error has its code", async () => {
  await using client = await CodexClient.spawn({ command: appServer() });
  const error = await rejection((await client.thread()).run("exit 7"));
  assert.ok(ConnectionError.is(error));
  assert.equal(error.exitCode, 7);
  assert.equal(error.mayHaveRun, true);
  assert.match(error.stderr, /exit 7/);
});

test("a child that dies before it speaks: connecting says what it wrote to stderr", async () => {
  const error = await rejection(CodexClient.spawn({ command: appServer("crash") }));
  assert.ok(ConnectionError.is(error));
  assert.equal(error.exitCode, 3);
  assert.match(error.message, /cannot read the configuration/);
  await assertNoChildren();
});

test("a program that does not exist: connecting says so and what to do", async () => {
  const error = await rejection(CodexClient.spawn({ command: ["no-such-program-anywhere", "app-server"] }));
  assert.ok(ConnectionError.is(error));
  assert.equal(error.code, "spawn-failed");
  assert.match(error.message, /no-such-program-anywhere was not found: install it/);
});

test("a wire log that cannot be written fails the connecting; one that is lost later costs nothing but itself", async () => {
  await using dir = await tempDir();
  const wireLog = join(dir.path, "logs", "wire.ndjson");
  const error = await rejection(CodexClient.spawn({ command: appServer(), wireLog }));
  assert.ok(ConnectionError.is(error) && /wire log/.test(error.message));
  await assertNoChildren();
  await mkdir(join(dir.path, "logs"));
  await using client = await CodexClient.spawn({ command: appServer(), wireLog });
  await rm(join(dir.path, "logs"), { recursive: true });
  assert.equal((await (await client.thread()).run("say hello")).agentMessage, "hello");
});

test("a failed turn: the error has the server's message, its kind, its details and the last of stderr", async () => {
  await using client = await CodexClient.spawn({ command: appServer() });
  const thread = await client.thread();
  const turn = thread.run("fail badly");
  const error = await rejection(turn);
  assert.ok(TurnError.is(error));
  assert.equal(error.message, "badly");
  assert.equal(error.codexErrorInfo, "other");
  assert.equal(error.additionalDetails, "more of it");
  assert.equal(error.mayHaveRun, true);
  assert.equal(error.result.agentMessage, "badly");
  // The child's stderr is a pipe of its own and may be read a little later than the turn's end.
  const failAgain = async () => (await rejection(thread.run("fail again"))) as TurnError;
  await eventually(async () => (await failAgain()).stderr.includes("fail badly"));
  assert.equal(await rejection(collect(turn)), error, "iterating a failed turn throws its error");
});

test("a child that may be respawned: the turn that it was killed in is finished from what was stored", async () => {
  await using dir = await tempDir();
  const command = appServer("", join(dir.path, "turns.ndjson"));
  await using client = await CodexClient.spawn({ command, reconnect });
  const states: ClientState[] = [];
  client.on("state", (state) => states.push(state));
  const before = await client.requestUntyped("pid", {});
  const thread = await client.thread();
  const turn = thread.run("store-and-die saved");
  const events = await collect(turn);
  const { agentMessage, items, status } = await turn;
  assert.equal(agentMessage, "saved");
  assert.equal(status, "completed");
  assert.equal(items.length, 1);
  assert.equal(kinds(events).filter((type) => type === "item.completed").length, 1);
  assert.notEqual(await client.requestUntyped("pid", {}), before);
  assert.equal((await thread.run("say again")).agentMessage, "again");
  assert.deepEqual(states, ["reconnecting", "ready"]);
});

test("a turn that a respawned child does not know fails with an error that says so, and the client goes on", async () => {
  await using client = await CodexClient.spawn({ command: appServer(), reconnect });
  const thread = await client.thread();
  const turn = thread.run("die SIGKILL");
  const id = await turn.id;
  const error = await rejection(turn);
  assert.ok(ConnectionError.is(error));
  assert.equal(error.mayHaveRun, true);
  assert.ok(error.message.includes(id) && /not known/.test(error.message), error.message);
  assert.equal((await thread.run("say hello")).agentMessage, "hello");
});

test("close() while a child is being respawned leaves no process", async () => {
  const client = await CodexClient.spawn({ command: appServer(), reconnect });
  // Nothing else would keep the process until the end of the child is noticed.
  client.hold();
  const reconnecting = new Promise<void>((resolve) => {
    client.on("state", (state) => void (state === "reconnecting" && resolve()));
  });
  process.kill((await client.requestUntyped("pid", {})) as number, "SIGKILL");
  await reconnecting;
  const waiting = rejection(client.requestUntyped("pid", {}));
  await client.close();
  assert.ok(ConnectionError.is(await waiting));
  await assertNoChildren();
});
