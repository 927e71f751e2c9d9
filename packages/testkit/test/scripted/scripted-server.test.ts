import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection, RpcError } from "@quire/jsonrpc";
import { gate, type ScriptedServer, scriptedServer } from "@quire/testkit";

interface Client extends AsyncDisposable {
  readonly connection: Connection;
  readonly events: { readonly method: string; readonly params: Record<string, unknown> }[];
  readonly threadId: string;
  /** Runs a turn to its end and gives its status. */
  run(): Promise<string>;
}

async function connect(server: ScriptedServer, decision = "accept"): Promise<Client> {
  const events: Client["events"] = [];
  let onCompleted: (status: string) => void = () => {};
  const connection = new Connection(server.transport, {
    onNotification: ({ method, params }) => {
      events.push({ method, params: params as Record<string, unknown> });
      if (method === "turn/completed") onCompleted((params as { turn: { status: string } }).turn.status);
    },
    onRequest: () => ({ decision }),
  });
  await connection.request("initialize", { clientInfo: { name: "t", version: "1" } });
  connection.notify("initialized");
  const { thread } = (await connection.request("thread/start", { cwd: "/w" })) as { thread: { id: string } };
  return {
    connection,
    events,
    threadId: thread.id,
    async run() {
      const completed = new Promise<string>((resolve) => {
        onCompleted = resolve;
      });
      await connection.request("turn/start", { threadId: thread.id, input: [] });
      return completed;
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

test("a command turn has the events of the real server, in its order", async () => {
  await using server = scriptedServer();
  server.turn({
    items: [
      { type: "reasoning", summary: ["hm"] },
      { type: "command", command: "ls", output: "a\n" },
    ],
    text: "done",
    chunks: 2,
  });
  await using client = await connect(server);
  assert.equal(await client.run(), "completed");
  const names = client.events.map(({ method, params }) => {
    const { item } = params as { item?: { type: string } };
    return item ? `${method} ${item.type}` : method;
  });
  assert.deepEqual(names, [
    "thread/started",
    "thread/status/changed",
    "turn/started",
    "item/started userMessage",
    "item/completed userMessage",
    "item/started reasoning",
    "item/reasoning/summaryPartAdded",
    "item/reasoning/summaryTextDelta",
    "item/completed reasoning",
    "item/started commandExecution",
    "item/commandExecution/outputDelta",
    "item/completed commandExecution",
    "thread/tokenUsage/updated",
    "item/started agentMessage",
    "item/agentMessage/delta",
    "item/agentMessage/delta",
    "item/completed agentMessage",
    "thread/tokenUsage/updated",
    "thread/status/changed",
    "turn/completed",
  ]);
});

function itemStatus(client: Client, type: string): unknown {
  const items = client.events.filter(({ method }) => method === "item/completed").map(({ params }) => params.item);
  return (items as { type: string; status: unknown }[]).find((item) => item.type === type)?.status;
}

test("an approval is asked for, and the decision of the client counts", async () => {
  const outcomes: unknown[] = [];
  for (const decision of ["accept", "decline", "cancel"]) {
    await using server = scriptedServer();
    server.turn({
      items: [
        { type: "command", command: "rm x", approval: true },
        { type: "fileChange", changes: [{ path: "/w/a", kind: "add", diff: "hi\n" }], approval: true },
      ],
      text: "end",
    });
    await using client = await connect(server, decision);
    const status = await client.run();
    outcomes.push([decision, status, itemStatus(client, "commandExecution"), itemStatus(client, "fileChange")]);
    assert.equal(
      client.events.some(({ method }) => method === "serverRequest/resolved"),
      true,
    );
  }
  assert.deepEqual(outcomes, [
    ["accept", "completed", "completed", "completed"],
    ["decline", "completed", "declined", "declined"],
    ["cancel", "interrupted", "declined", undefined],
  ]);
});

test("an interrupt ends a turn that waits, and a failed turn says why", async () => {
  await using server = scriptedServer();
  await using client = await connect(server);
  server.turn({ items: [{ type: "wait", until: gate() }], text: "never" });
  server.turn({ error: { message: "too long", codexErrorInfo: "contextWindowExceeded" } });
  const running = client.run();
  await server.waitFor("turn/start");
  const turnId = await new Promise((resolve) =>
    client.connection.on("turn/started", (params) => resolve((params as { turn: { id: string } }).turn.id)),
  );
  await assert.rejects(
    client.connection.request("turn/interrupt", { threadId: client.threadId, turnId: "other" }),
    /expected active turn id/,
  );
  await client.connection.request("turn/interrupt", { threadId: client.threadId, turnId });
  assert.equal(await running, "interrupted");
  await assert.rejects(
    client.connection.request("turn/interrupt", { threadId: client.threadId, turnId }),
    /no active turn/,
  );
  assert.equal(await client.run(), "failed");
  assert.equal(await client.run(), "completed");
});

test("answers can be scripted for every call or one after the other, errors too", async () => {
  await using server = scriptedServer();
  server
    .on("model/list", { data: [] })
    .once("model/list", { data: ["first"] }, new RpcError({ code: -32001, message: "busy" }));
  server.on("fs/readFile", (params: unknown) => ({ echo: params }));
  await using client = await connect(server);
  const list = () => client.connection.request("model/list", {});
  assert.deepEqual(await list(), { data: ["first"] });
  await assert.rejects(list(), (error) => RpcError.is(error) && error.code === -32001);
  assert.deepEqual(await list(), { data: [] });
  assert.deepEqual(await client.connection.request("fs/readFile", { path: "/a" }), { echo: { path: "/a" } });
  await assert.rejects(client.connection.request("skills/list", {}), /Nothing is scripted for skills\/list/);
  assert.deepEqual(
    server.received.slice(0, 2).map(({ method }) => method),
    ["initialize", "initialized"],
  );
});

test("the handshake is as strict as the real one", async () => {
  await using server = scriptedServer();
  await using connection = new Connection(server.transport);
  await assert.rejects(connection.request("thread/start", {}), /Not initialized/);
  await connection.request("initialize", {});
  await assert.rejects(connection.request("initialize", {}), /Already initialized/);
  await assert.rejects(connection.request("turn/start", { threadId: "x", input: [] }), /thread not found: x/);
});

test("a server request gets the client's answer or error, also when the client leaves", async () => {
  await using server = scriptedServer();
  const client = await connect(server, "yes");
  assert.deepEqual(await server.request("item/tool/call", {}), { decision: "yes" });
  client.connection.handle("fails", () => {
    throw new RpcError({ code: 7, message: "no" });
  });
  await assert.rejects(server.request("fails", {}), (error) => RpcError.is(error) && error.code === 7);
  client.connection.handle("hangs", () => new Promise(() => {}));
  const hanging = server.request("hangs", {});
  await client.connection.close();
  await assert.rejects(hanging, /client is gone/);
  await assert.rejects(server.request("late", {}), /client is gone/);
});

test("a turn of somebody else on the same thread can be played, with steps of any kind", async () => {
  await using server = scriptedServer();
  await using client = await connect(server);
  const completed = new Promise((resolve) => client.connection.on("turn/completed", resolve));
  await server.play(client.threadId, {
    items: [
      { type: "item", item: { type: "webSearch", id: "ws", query: "q" } },
      { type: "notify", method: "turn/diff/updated", params: { diff: "d" } },
      { type: "request", method: "item/tool/requestUserInput", params: { questions: [] } },
    ],
  });
  await completed;
  assert.ok(client.events.some(({ method }) => method === "turn/diff/updated"));
  assert.ok(client.events.some(({ method }) => method === "serverRequest/resolved"));
});
