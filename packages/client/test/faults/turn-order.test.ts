/** A turn's events and its `turn/start` reply may come in any order, in any chunks: nothing is lost. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { CodexClient, ConnectionError } from "@quire/client";
import { memoryPair } from "@quire/jsonrpc/memory";
import { StreamTransport } from "@quire/jsonrpc/stdio";
import {
  begins,
  collect,
  completes,
  delta,
  ends,
  kinds,
  said,
  started,
  wholeTurn,
  wireTurn,
} from "./support/events.ts";
import { HandServer, rig } from "./support/hand-server.ts";
import { test, tick } from "./support/test.ts";

const whole = ["turn.started", "item.started", "agentMessage.delta", "item.completed", "turn.completed"];

test("events that come before the turn/start reply belong to the turn", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  const turn = thread.run("go");
  const events = collect(turn);
  const start = await server.waitFor("turn/start");
  const [first, second, ...rest] = wholeTurn("t1", "early");
  server.play("t1", ...[first, second].filter((event) => event !== undefined));
  await tick();
  await tick();
  server.reply(start, { turn: wireTurn("t1", "inProgress") });
  server.play("t1", ...rest);
  assert.equal((await turn).agentMessage, "early");
  assert.deepEqual(kinds(await events), whole);
});

test("a whole turn that comes before the turn/start reply is not lost", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  const turn = thread.run("go");
  const start = await server.waitFor("turn/start");
  server.play("t1", ...wholeTurn("t1", "over before it was said to begin"));
  await tick();
  await tick();
  server.reply(start, { turn: wireTurn("t1", "inProgress") });
  const result = await turn;
  assert.equal(result.agentMessage, "over before it was said to begin");
  assert.equal(result.status, "completed");
  assert.deepEqual(kinds(await collect(turn)), whole, "and can be iterated afterwards");
});

test("a turn on a thread that was unsubscribed from before is followed to its end", async () => {
  await using fixture = await rig();
  const { client, server, thread } = fixture;
  server.on("thread/unsubscribe", () => ({ status: "unsubscribed" }));
  server.on("turn/start", () => ({ turn: wireTurn("t1", "inProgress") }));
  await thread.unsubscribe();
  for (const handle of [thread, client.handle("thread"), thread]) {
    const turn = handle.run("go");
    await turn.id;
    server.play("t1", ...wholeTurn("t1", "still heard"));
    assert.equal((await turn).agentMessage, "still heard");
  }
});

test("the events of somebody else's turn do not get into a turn that is being started", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  const turn = thread.run("go");
  const start = await server.waitFor("turn/start");
  server.play("other", ...wholeTurn("other", "not mine"));
  server.play("t1", ...wholeTurn("t1", "mine"));
  server.reply(start, { turn: wireTurn("t1", "inProgress") });
  assert.equal((await turn).agentMessage, "mine");
  assert.deepEqual(kinds(await collect(turn)), whole);
});

for (const when of ["before", "after"] as const) {
  test(`a reply and a whole turn in one chunk of bytes, the reply ${when} the turn, are all read`, async () => {
    const [toClient, toServer] = [new PassThrough(), new PassThrough()];
    const lines: string[] = [];
    const server = new HandServer((text) => lines.push(`${text}\n`));
    // Lets the test decide what makes up a chunk.
    const flush = () => toClient.write(lines.splice(0).join(""));
    const serverEnd = new StreamTransport(toServer, new PassThrough());
    serverEnd.start({
      message: (text) => {
        server.take(text);
        if (lines.length > 0) flush();
      },
      closed: () => undefined,
    });
    server.on("turn/start", (_, id) => {
      if (when === "before") server.reply({ id }, { turn: wireTurn("t1", "inProgress") });
      server.play("t1", ...wholeTurn("t1", "all at once"));
      if (when === "after") server.reply({ id }, { turn: wireTurn("t1", "inProgress") });
      return undefined;
    });
    const client = new CodexClient({ transport: new StreamTransport(toClient, toServer) });
    await client.connect();
    const turn = (await client.thread()).run("go");
    const events = await collect(turn);
    assert.equal((await turn).agentMessage, "all at once");
    assert.deepEqual(kinds(events), whole);
    await client.close();
    await serverEnd.close();
  });
}

test("items are given once each, in the order of their completion, however often the server repeats them", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  const turn = thread.run("go");
  const events = collect(turn);
  server.reply(await server.waitFor("turn/start"), { turn: wireTurn("t1", "inProgress") });
  const [one, two] = [said("one", "1"), said("two", "2")];
  server.play("t1", started("t1"), begins(one), begins(two), begins(one), completes(two), completes(one));
  server.play("t1", completes(two), begins(one), completes(one), ends("t1"));
  const { items, agentMessage } = await turn;
  assert.deepEqual(
    items.map(({ id }) => id),
    ["two", "one"],
  );
  assert.equal(agentMessage, "1");
  assert.deepEqual(kinds(await events), [
    "turn.started",
    "item.started",
    "item.started",
    "item.completed",
    "item.completed",
    "turn.completed",
  ]);
});

test("what the agent said is not lost when its message never completes", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  const turn = thread.run("go");
  server.reply(await server.waitFor("turn/start"), { turn: wireTurn("t1", "inProgress") });
  server.play("t1", delta("a", "Half "), delta("a", "a sentence"), ends("t1", "interrupted"));
  const { agentMessage, status, items } = await turn;
  assert.equal(agentMessage, "Half a sentence");
  assert.equal(status, "interrupted");
  assert.deepEqual(items, []);
});

test("a connection that ends right behind the reply to turn/start ends the turn: nobody waits for ever", async () => {
  const [ours, theirs] = memoryPair();
  const answers: Record<string, unknown> = {
    initialize: { userAgent: "x/0.166.0" },
    "thread/start": { thread: { id: "t" } },
    "turn/start": { turn: { id: "turn-1", items: [], status: "inProgress" } },
  };
  const message = (text: string) => {
    const { id, method } = JSON.parse(text) as { id?: number; method: string };
    if (id === undefined) return;
    theirs.send(JSON.stringify({ id, result: answers[method] }));
    if (method === "turn/start") void theirs.close();
  };
  theirs.start({ message, closed: () => undefined });
  const client = new CodexClient({ transport: ours });
  client.on("error", () => undefined);
  await client.connect();
  const { id: threadId } = await client.startThread();
  const turn = client.runTurn({ threadId, input: [{ type: "text", text: "go" }] });
  await assert.rejects(Promise.resolve(turn), ConnectionError.is);
  await client.close();
});
