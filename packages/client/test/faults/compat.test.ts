/** Servers of other versions, and other makes, tell the same things otherwise: users see one client. */
import assert from "node:assert/strict";
import { RpcError, TurnError } from "@quire/client";
import { collect, completes, delta, ends, kinds, said, started, wholeTurn, wireTurn } from "./support/events.ts";
import { type Rig, rig } from "./support/hand-server.ts";
import { rejection, test } from "./support/test.ts";

/** A turn that runs, and what the client's listeners hear of ends. */
async function running(options: Parameters<typeof rig>[0] = {}) {
  const fixture: Rig = await rig(options);
  const { client, server, thread } = fixture;
  server.on("turn/start", () => ({ turn: wireTurn("t1", "inProgress") }));
  const heard: (readonly [id: string, status: string])[] = [];
  client.on("turn:completed", ({ id, status }) => heard.push([id, status]));
  const turn = thread.run("go");
  await turn.id;
  return { ...fixture, turn, heard, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

test("a failed turn rejects with all that the server said of the failure, and with what was done before", async () => {
  await using fixture = await running();
  const { server, turn } = fixture;
  const codexErrorInfo = { responseStreamDisconnected: { httpStatusCode: 502 } };
  const error = { message: "stream lost", codexErrorInfo, additionalDetails: "after 5 tries" };
  server.play("t1", completes(said("a", "so far")), ["turn/completed", { turn: wireTurn("t1", "failed", { error }) }]);
  const failure = await rejection(turn);
  assert.ok(TurnError.is(failure));
  assert.equal(failure.message, "stream lost");
  assert.deepEqual(failure.codexErrorInfo, codexErrorInfo);
  assert.equal(failure.additionalDetails, "after 5 tries");
  assert.equal(failure.stderr, "");
  assert.equal(failure.mayHaveRun, true);
  assert.equal(failure.result.agentMessage, "so far");
  assert.equal(failure.result.status, "failed");
});

test("a failed turn without its error has that of the last error notification, unless that was retried", async () => {
  await using fixture = await running();
  const { server, turn } = fixture;
  const notified = (message: string, willRetry: boolean) =>
    ["error", { error: { message, codexErrorInfo: "other", additionalDetails: null }, willRetry }] as const;
  server.play("t1", notified("final", false), notified("reconnecting", true), ends("t1", "failed"));
  const failure = await rejection(turn);
  assert.ok(TurnError.is(failure));
  assert.equal(failure.message, "final");
  assert.equal(failure.codexErrorInfo, "other");
});

test("a turn that is interrupted resolves, with its status and what was done", async () => {
  await using fixture = await running();
  const { server, turn } = fixture;
  server.on("turn/interrupt", (_, id) => {
    server.reply({ id }, {});
    server.play("t1", delta("a", "Half"), ends("t1", "interrupted"));
    return undefined;
  });
  await turn.interrupt();
  const { status, agentMessage } = await turn;
  assert.equal(status, "interrupted");
  assert.equal(agentMessage, "Half");
  await turn.interrupt();
  assert.equal(server.calls("turn/interrupt").length, 1);
});

test("0.98: events that come twice show once in turns, threads and listeners, and twice in the raw stream", async () => {
  await using fixture = await running({ version: "0.98.0" });
  const { client, server, thread, turn } = fixture;
  const raw: string[] = [];
  const heard: string[] = [];
  client.on("notification", ({ method }) => raw.push(method));
  client.on("item:agentMessage:delta", ({ text }) => heard.push(text));
  client.on("item:completed", ({ id }) => heard.push(id));
  const events = collect(turn);
  const threadEvents = thread.events();
  for (const [method, params] of wholeTurn("t1", "hello")) {
    const msg = { type: method.replaceAll("/", "_"), thread_id: "thread", turn_id: "t1", ...params };
    server.notify(`codex/event/${method.replaceAll("/", "_")}`, { id: "t1", msg, conversationId: "thread" });
    server.notify(method, { threadId: "thread", turnId: "t1", ...params });
  }
  assert.equal((await turn).agentMessage, "hello");
  assert.deepEqual(kinds(await events), [
    "turn.started",
    "item.started",
    "agentMessage.delta",
    "item.completed",
    "turn.completed",
  ]);
  assert.deepEqual(heard, ["hello", "t1-msg"]);
  assert.equal(raw.length, 10);
  assert.equal(raw.filter((method) => method.startsWith("codex/event/")).length, 5);
  await client.close();
  let count = 0;
  for await (const { method } of threadEvents) {
    assert.ok(!method.startsWith("codex/event/"));
    count++;
  }
  assert.equal(count, 5);
});

test("a turn/completed with no params at all ends the only turn that runs", async () => {
  await using fixture = await running();
  const { server, turn, heard } = fixture;
  server.play("t1", delta("a", "done"));
  server.notify("turn/completed");
  const { status, agentMessage, turn: ended } = await turn;
  assert.equal(status, "completed");
  assert.equal(agentMessage, "done");
  assert.equal(ended.id, "t1");
  assert.deepEqual(heard, [["t1", "completed"]], "listeners hear of it in full");
});

test("a turn/completed that could mean two turns ends neither, and is warned of", async () => {
  await using fixture = await running();
  const { client, server, turn, warnings, heard } = fixture;
  server.on("turn/start", () => ({ turn: wireTurn("t2", "inProgress") }));
  const other = client.handle("other").run("go");
  await other.id;
  server.notify("turn/completed", {});
  server.notify("turn/completed", { threadId: "other" });
  assert.equal((await other).turn.id, "t2", "the thread's name is enough");
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["invalid-message"],
  );
  server.notify("turn/completed");
  await turn;
  assert.deepEqual(heard, [
    ["t2", "completed"],
    ["t1", "completed"],
  ]);
});

for (const params of [
  { threadId: "thread", turnId: "t1", error: { message: "out of luck", codexErrorInfo: "other" } },
  { threadId: "thread", turn: { id: "t1" }, message: "out of luck" },
  { message: "out of luck" },
]) {
  test(`turn/failed with ${Object.keys(params).join(", ")} is the end of the turn, as a failure`, async () => {
    await using fixture = await running();
    const { server, turn, heard } = fixture;
    const iterated = rejection(collect(turn));
    server.notify("turn/failed", params);
    const failure = await rejection(turn);
    assert.ok(TurnError.is(failure));
    assert.equal(failure.message, "out of luck");
    assert.equal(await iterated, failure);
    assert.deepEqual(heard, [["t1", "failed"]]);
  });
}

test("an end that names no turn, right behind the reply that does, is the end of that turn", async () => {
  await using fixture = await rig();
  const { client, server, thread, warnings } = fixture;
  const heard: string[] = [];
  client.on("turn:completed", ({ id, status }) => heard.push(`${id} ${status}`));
  server.on("turn/start", (_, id) => {
    server.reply({ id }, { turn: wireTurn("t1", "inProgress") });
    server.notify("turn/completed");
    return undefined;
  });
  assert.equal((await thread.run("go")).turn.id, "t1");
  assert.deepEqual(heard, ["t1 completed"]);
  assert.deepEqual(warnings, []);
});

test("turn/cancelled is the end of the turn, as an interruption", async () => {
  await using fixture = await running();
  const { server, turn, heard } = fixture;
  server.play("t1", started("t1"));
  server.notify("turn/cancelled", { reason: "user" });
  assert.equal((await turn).status, "interrupted");
  assert.deepEqual(heard, [["t1", "interrupted"]]);
});

test("a method that the server lacks gives an error that names the version that has it", async () => {
  await using fixture = await rig({ version: "0.118.0" });
  const { client, server } = fixture;
  assert.equal(client.serverVersion, "0.118.0");
  // As Codex says it.
  const message = "Invalid request: unknown variant `thread/turns/list`, expected one of `initialize`, `thread/start`";
  server.on("thread/turns/list", (_, id) => server.refuse({ id }, { code: -32600, message }));
  const error = await rejection(client.request("thread/turns/list", { threadId: "thread" }));
  assert.ok(RpcError.is(error));
  assert.equal(error.code, -32601);
  assert.equal(error.mayHaveRun, false);
  assert.match(error.message, /thread\/turns\/list needs Codex 0\.122\.0 or later \(you have 0\.118\.0\)/);
});

test("a method that this version has and the server does not serve is not blamed on the version", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  server.on("model/list", (_, id) => server.refuse({ id }, { code: -32601, message: "Method not found" }));
  const error = await rejection(client.listModels());
  assert.ok(RpcError.is(error));
  assert.match(error.message, /^This server, which presents itself as Codex .*, does not serve model\/list/);
});

/** As Codex 0.148 says it of a thread that is stored without pages, which its threads are by default. */
const unpaged = { code: -32600, message: "thread/revert only supports paginated threads" };

test("0.148: turns of a thread without pages are taken back by counting them", async () => {
  await using fixture = await rig({ version: "0.148.0" });
  const { server, thread } = fixture;
  server.on("thread/turns/list", () => ({ data: [wireTurn("t1", "completed")], nextCursor: null }));
  server.on("thread/revert", (_, id) => server.refuse({ id }, unpaged));
  server.on("thread/rollback", () => ({}));
  await thread.rollback();
  assert.deepEqual(server.calls("thread/rollback")[0]?.params, { threadId: "thread", numTurns: 1 });
});

test("0.160: where nothing takes the turns of an old thread back, the error says why", async () => {
  await using fixture = await rig({ version: "0.160.0" });
  const { server, thread } = fixture;
  server.on("thread/turns/list", () => ({ data: [wireTurn("t1", "completed")], nextCursor: null }));
  server.on("thread/revert", (_, id) => server.refuse({ id }, unpaged));
  const message = "Invalid request: unknown variant `thread/rollback`, expected one of `initialize`";
  server.on("thread/rollback", (_, id) => server.refuse({ id }, { code: -32600, message }));
  await assert.rejects(thread.rollback(), /only supports paginated threads/);
});

test("0.148: a detached review that leaves the model's JSON is given as text", async () => {
  await using fixture = await rig({ version: "0.148.0" });
  const { server, thread } = fixture;
  const place = { absolute_file_path: "/a.ts", line_range: { start: 3, end: 4 } };
  const findings = [{ title: "Off by one", body: "Count\nagain.", code_location: place }, null];
  const json = JSON.stringify({ overall_explanation: "Nearly right.", findings });
  server.on("review/start", (_, id) => {
    server.reply({ id }, { turn: wireTurn("t1", "inProgress"), reviewThreadId: "other" });
    const params = { threadId: "other", turnId: "t1" };
    server.notify("item/completed", { ...params, item: said("a", json) });
    server.notify("turn/completed", { ...params, turn: wireTurn("t1", "completed") });
    return undefined;
  });
  const run = thread.review({ target: { type: "uncommittedChanges" }, delivery: "detached" });
  assert.equal(kinds(await collect(run)).at(-1), "turn.completed", "its events can be read, too");
  const { reviewText } = await run;
  assert.match(reviewText, /^Nearly right\.\n\n- Off by one — \/a\.ts:3-4\n {2}Count\n {2}again\./);
});
