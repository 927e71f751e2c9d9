/** The nine unit tests that the client's specification names, on a scripted server. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import DefaultExport, { CodexClient, ConnectionError } from "@quire/client";
import { RpcError } from "@quire/jsonrpc";
import { scriptedServer } from "@quire/testkit";

/** A server and a client on it; both are disposed of. */
async function connected() {
  const server = scriptedServer();
  const client = new CodexClient({ transport: server.transport });
  await client.connect();
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}

describe("CodexClient", () => {
  test("initialize handshake", async () => {
    await using server = scriptedServer();
    const client = new CodexClient({ transport: server.transport });
    await client.connect();
    assert.equal((await server.waitFor("initialized")).method, "initialized");
    const [initialize, initialized] = server.received;
    assert.equal(initialize?.method, "initialize");
    assert.equal(initialize?.id, 0);
    assert.deepEqual(initialize?.params, {
      clientInfo: { name: "openclaw", title: null, version: "0.1.0" },
      capabilities: { experimentalApi: true },
    });
    assert.equal(initialized?.method, "initialized");
    assert.equal(initialized?.id, undefined);
    assert.equal(client.state, "ready");
    assert.equal(DefaultExport, CodexClient);
    await client.disconnect();
    assert.equal(client.state, "closed");
  });

  test("startThread", async () => {
    await using fixture = await connected();
    const { client, server } = fixture;
    const thread = await client.startThread({ personality: "pragmatic" });
    assert.equal(typeof thread.id, "string");
    const { params } = await server.waitFor("thread/start");
    assert.deepEqual(params, {
      model: "gpt-5.3-codex",
      cwd: process.cwd(),
      personality: "pragmatic",
      approvalPolicy: "never",
      sandbox: "workspace-write",
    });
  });

  test("resumeThread", async () => {
    await using fixture = await connected();
    const { client, server } = fixture;
    const { id } = await client.startThread({});
    const resumed = await client.resumeThread(id, { personality: "friendly" });
    assert.equal(resumed.id, id);
    assert.deepEqual((await server.waitFor("thread/resume")).params, { threadId: id, personality: "friendly" });
  });

  test("startTurn", async () => {
    await using fixture = await connected();
    const { client, server } = fixture;
    const { id } = await client.startThread({});
    const turn = await client.startTurn({
      threadId: id,
      input: [{ type: "text", text: "hi" }],
      approvalPolicy: "unlessTrusted",
      sandboxPolicy: { type: "workspace-write", networkAccess: true },
    });
    assert.equal(turn.status, "inProgress");
    assert.deepEqual((await server.waitFor("turn/start")).params, {
      threadId: id,
      input: [{ type: "text", text: "hi", text_elements: [] }],
      approvalPolicy: "untrusted",
      sandboxPolicy: { type: "workspaceWrite", networkAccess: true },
    });
  });

  test("runTurn collects items", async () => {
    await using fixture = await connected();
    const { client, server } = fixture;
    server.turn({
      items: [
        { type: "command", command: "ls", output: "a.txt\n" },
        { type: "notify", method: "turn/diff/updated", params: { diff: "--- a\n+++ b\n" } },
      ],
      text: "One file.",
      chunks: 3,
    });
    const { id } = await client.startThread({});
    const heard: string[] = [];
    client.on("turn:started", ({ status }) => heard.push(`started ${status}`));
    client.on("item:started", ({ type }) => heard.push(`begin ${type}`));
    client.on("item:agentMessage:delta", ({ text }) => heard.push(text));
    client.on("item:completed", ({ type }) => heard.push(`end ${type}`));
    client.on("turn:diff:updated", ({ diff }) => heard.push(diff));
    client.on("turn:completed", ({ status }) => heard.push(`completed ${status}`));
    const result = await client.runTurn({ threadId: id, input: [{ type: "text", text: "list" }] });
    assert.equal(result.turn.status, "completed");
    assert.equal(result.agentMessage, "One file.");
    assert.equal(result.diff, "--- a\n+++ b\n");
    assert.deepEqual(
      result.items.map(({ type }) => type),
      ["userMessage", "commandExecution", "agentMessage"],
    );
    const deltas = heard.slice(heard.indexOf("begin agentMessage") + 1, heard.indexOf("end agentMessage"));
    assert.equal(deltas.join(""), "One file.");
    assert.equal(heard[0], "started inProgress");
    assert.equal(heard.at(-1), "completed completed");
  });

  test("steerTurn", async () => {
    await using fixture = await connected();
    const { client, server } = fixture;
    server.on("turn/steer", { turnId: "turn-9" });
    const turnId = await client.steerTurn({
      threadId: "t",
      input: [{ type: "text", text: "also this" }],
      expectedTurnId: "turn-9",
    });
    assert.equal(turnId, "turn-9");
    assert.deepEqual((await server.waitFor("turn/steer")).params, {
      threadId: "t",
      input: [{ type: "text", text: "also this", text_elements: [] }],
      expectedTurnId: "turn-9",
    });
  });

  test("interruptTurn", async () => {
    await using fixture = await connected();
    const { client, server } = fixture;
    server.on("turn/interrupt", {});
    await client.interruptTurn("t", "u");
    assert.deepEqual((await server.waitFor("turn/interrupt")).params, { threadId: "t", turnId: "u" });
  });

  test("error response rejects", async () => {
    await using fixture = await connected();
    const { client, server } = fixture;
    server.on("thread/read", new RpcError({ code: -32600, message: "thread not loaded: x" }));
    await assert.rejects(client.readThread("x"), (error) => {
      assert.ok(RpcError.is(error));
      assert.equal(error.message, "thread not loaded: x");
      assert.equal(error.code, -32600);
      assert.equal(error.mayHaveRun, false);
      return true;
    });
  });

  test("process exit rejects pending", async () => {
    await using server = scriptedServer();
    const client = new CodexClient({ transport: server.transport });
    await client.connect();
    server.on("model/list", () => new Promise(() => {}));
    const pending = client.listModels();
    await server.waitFor("model/list");
    const seen: unknown[] = [];
    client.on("error", (error) => seen.push(error));
    await server.close();
    await assert.rejects(pending, (error) => ConnectionError.is(error) && error.code === "closed" && error.mayHaveRun);
    assert.equal(seen.length, 1);
    assert.equal(client.state, "closed");
    await assert.rejects(client.listModels(), (error) => ConnectionError.is(error) && !error.mayHaveRun);
  });
});

test("a client connected by a transport sends nothing that was not asked for", async () => {
  await using server = scriptedServer();
  await using client = await CodexClient.connect(server.transport);
  await client.thread();
  assert.deepEqual((await server.waitFor("thread/start")).params, {});
  const { clientInfo } = (await server.waitFor("initialize")).params as { clientInfo: { name: string } };
  assert.equal(clientInfo.name, "quire");
});
