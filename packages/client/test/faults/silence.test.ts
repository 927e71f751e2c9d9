/** A server that says nothing: whoever waits is told, in the end, and nothing is left behind. */
import assert from "node:assert/strict";
import { CodexClient, ConnectionError } from "@quire/client";
import { memoryPair } from "@quire/jsonrpc/memory";
import { assertNoChildren, gate } from "@quire/testkit";
import { appServer } from "./support/child.ts";
import { collect, delta, ends, started, wireTurn } from "./support/events.ts";
import { rig } from "./support/hand-server.ts";
import { rejection, test } from "./support/test.ts";

/** Short enough for a test, and no test depends on how long it really takes. */
const soon = 30;
/** Longer, for the handshake and other calls that do get their reply are under the same limit. */
const requestTimeoutMs = 500;
const running = (id: string) => ({ turn: wireTurn(id, "inProgress") });

test("connecting to a server that never answers ends in a timeout, and the child is gone", async () => {
  const client = new CodexClient({ command: appServer("silent"), requestTimeoutMs, shutdownMs: 50 });
  const error = await rejection(client.connect());
  assert.ok(ConnectionError.is(error));
  assert.equal(error.code, "timeout");
  assert.match(error.message, /initialize/);
  assert.equal(client.state, "closed");
  assert.equal(await client.ended, error);
  await assertNoChildren();
  const again = await rejection(client.request("thread/loaded/list", {}));
  assert.ok(ConnectionError.is(again));
  assert.equal(again.mayHaveRun, false, "what was never sent can be sent elsewhere");
});

test("a request that gets no reply times out, may have run, and the next one works", async () => {
  await using fixture = await rig({ requestTimeoutMs });
  const { client, server } = fixture;
  const error = await rejection(client.requestUntyped("slow", {}));
  assert.ok(ConnectionError.is(error));
  assert.equal(error.code, "timeout");
  assert.equal(error.mayHaveRun, true);
  server.reply(await server.waitFor("slow"), { late: true });
  server.on("quick", () => ({ fine: true }));
  assert.deepEqual(await client.requestUntyped("quick", {}, { timeoutMs: 0 }), { fine: true });
});

test("a call's own timeout wins over the client's, and 0 waits for ever", async () => {
  await using fixture = await rig({ requestTimeoutMs });
  const { client, server } = fixture;
  const patient = client.requestUntyped("slow", { patient: true }, { timeoutMs: 0 });
  const error = await rejection(client.requestUntyped("slow", {}));
  assert.ok(ConnectionError.is(error) && error.code === "timeout");
  server.reply(await server.waitFor("slow"), { at: "last" });
  assert.deepEqual(await patient, { at: "last" });
});

test("a turn whose start gets no reply rejects with a timeout, for who awaits and who iterates", async () => {
  await using fixture = await rig({ requestTimeoutMs });
  const turn = fixture.thread.run("go");
  const iterated = await rejection(collect(turn));
  const awaited = await rejection(turn);
  assert.ok(ConnectionError.is(awaited) && awaited.code === "timeout" && awaited.mayHaveRun);
  assert.equal(iterated, awaited);
});

test("a turn in which nothing happens is given up and stopped on the server", async () => {
  await using fixture = await rig({ turnIdleTimeoutMs: soon });
  const { server, thread } = fixture;
  server.on("turn/start", () => running("t1"));
  const turn = thread.run("go");
  const iterated = rejection(collect(turn));
  const error = await rejection(turn);
  assert.ok(ConnectionError.is(error));
  assert.equal(error.code, "timeout");
  assert.equal(error.mayHaveRun, true);
  assert.match(error.message, /turnIdleTimeoutMs/);
  assert.equal(await iterated, error);
  assert.deepEqual((await server.waitFor("turn/interrupt")).params, { threadId: "thread", turnId: "t1" });
  server.play("t1", ends("t1", "interrupted"));
  assert.equal(server.calls("turn/interrupt").length, 1);
});

test("a turn with a longer limit of its own, or none, outlasts one with the client's", async () => {
  await using fixture = await rig({ turnIdleTimeoutMs: soon });
  const { client, server } = fixture;
  server.on("turn/start", ({ threadId }: { threadId: string }) => running(`turn of ${threadId}`));
  const longer = client.handle("longer").run("go", { idleTimeoutMs: 60_000 });
  const endless = client.handle("endless").run("go", { idleTimeoutMs: 0 });
  const ids = await Promise.all([longer.id, endless.id]);
  assert.ok(ConnectionError.is(await rejection(client.handle("plain").run("go"))));
  for (const [index, threadId] of ["longer", "endless"].entries()) {
    server.notify("turn/completed", { threadId, turn: wireTurn(ids[index] ?? "", "completed") });
  }
  assert.equal((await longer).status, "completed");
  assert.equal((await endless).status, "completed");
});

test("a turn that waits for an answer of the user is not given up as idle", async () => {
  const decide = gate();
  await using fixture = await rig({
    turnIdleTimeoutMs: soon,
    onApproval: async (request) => {
      await decide;
      return request.accept();
    },
  });
  const { client, server, thread } = fixture;
  server.on("turn/start", ({ threadId }: { threadId: string }) => running(`turn of ${threadId}`));
  const turn = thread.run("go");
  const turnId = await turn.id;
  const params = { threadId: "thread", turnId, itemId: "c", command: "ls", cwd: "/", startedAtMs: 0 };
  server.send({ id: 700, method: "item/commandExecution/requestApproval", params });
  // The measure of time: a turn that nobody asks about, begun later, is given up first.
  assert.ok(ConnectionError.is(await rejection(client.handle("other").run("go"))));
  decide.open();
  assert.deepEqual((await server.answerTo(700)).result, { decision: "accept" });
  server.play(turnId, delta("a", "thanks"), ends(turnId));
  assert.equal((await turn).agentMessage, "thanks");
});

test("each event gives a turn its full time again", async () => {
  await using fixture = await rig({ turnIdleTimeoutMs: soon });
  const { client, server, thread } = fixture;
  server.on("turn/start", ({ threadId }: { threadId: string }) => running(`turn of ${threadId}`));
  const turn = thread.run("go");
  const turnId = await turn.id;
  const pulse = setInterval(() => server.play(turnId, delta("a", ".")), 1);
  assert.ok(ConnectionError.is(await rejection(client.handle("other").run("go"))));
  clearInterval(pulse);
  server.play(turnId, started(turnId), ends(turnId));
  assert.match((await turn).agentMessage, /^\.+$/);
});

test("close() during a handshake that is never answered ends connect() and the calls that wait for it", async () => {
  const [transport, serverEnd] = memoryPair();
  serverEnd.start({ message: () => undefined, closed: () => undefined });
  const client = new CodexClient({ transport });
  const connecting = rejection(client.connect());
  const waiting = rejection(client.request("thread/loaded/list", {}));
  await client.close();
  for (const error of [await connecting, await waiting])
    assert.ok(ConnectionError.is(error) && error.code === "closed");
  assert.equal(((await waiting) as ConnectionError).mayHaveRun, false, "it was never sent");
});

test("close() ends a connect() whose way to the server hangs, and closes what comes of it later", async () => {
  const opened = gate();
  let closed = false;
  const [transport] = memoryPair();
  const late = Object.create(transport, { close: { value: async () => (closed = true) } }) as typeof transport;
  const client = new CodexClient({ transport: () => opened.then(() => late) as Promise<typeof transport> });
  const connecting = rejection(client.connect());
  await client.close();
  assert.ok(ConnectionError.is(await connecting));
  opened.open();
  await opened;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(closed, true);
});

test("a child that never answers costs its caller the time limit, and not the time that it has to exit", async () => {
  // Ignores the end of its stdin, and SIGTERM too.
  const script = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6)";
  const began = performance.now();
  const error = await rejection(CodexClient.spawn({ command: ["node", "-e", script], requestTimeoutMs: 500 }));
  const took = performance.now() - began;
  assert.ok(ConnectionError.is(error) && error.code === "timeout", String(error));
  assert.ok(took < 1500, `${took} ms`);
  await assertNoChildren();
});
