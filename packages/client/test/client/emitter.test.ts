/** The client as an emitter of events, with the interface that programs know from Node. */
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import process from "node:process";
import { test } from "node:test";
import type * as client from "@quire/client";
import { CodexClient } from "@quire/client";
import { scriptedServer } from "@quire/testkit";

/** All types that the specification of the first client names; the file does not compile without one of them. */
export type Named = [
  [
    client.JsonRpcRequest,
    client.JsonRpcResponse,
    client.JsonRpcNotification,
    client.JsonRpcError,
    client.JsonRpcMessage,
  ],
  [client.Thread, client.Turn, client.TurnError, client.ThreadItem, client.FileChange, client.PlanEntry],
  [client.StartThreadParams, client.ResumeThreadParams, client.StartTurnParams, client.SteerTurnParams],
  [client.StartReviewParams, client.TurnInput, client.ReviewTarget, client.SandboxPolicy, client.ListThreadsParams],
  [client.CompletedTurn, client.CompletedReview, client.ReviewResult, client.ListModelsParams, client.ModelListResult],
  [client.ModelInfo, client.ThreadListResult, client.ExecCommandParams, client.ExecCommandResult],
  [client.CodexClientOptions],
];

async function connected(options: client.CodexClientOptions = {}) {
  const server = scriptedServer();
  const codex = new CodexClient({ transport: server.transport, ...options });
  await codex.connect();
  return {
    server,
    codex,
    async [Symbol.asyncDispose]() {
      await codex.close();
      await server.close();
    },
  };
}

test("a client is an EventEmitter where there is one to be found without an import", async (t) => {
  if (!("getBuiltinModule" in process)) return t.skip("this Node has no process.getBuiltinModule()");
  await using fixture = await connected();
  const { codex, server } = fixture;
  assert.ok(codex instanceof EventEmitter);
  server.turn({ text: "Done." });
  const thread = await codex.startThread();
  const [completed] = await Promise.all([
    once(codex, "turn:completed"),
    codex.startTurn({ threadId: thread.id, input: [{ type: "text", text: "go" }] }),
  ]);
  assert.equal((completed as [client.Turn])[0].status, "completed");
});

test("listeners are added, counted, listed and removed as those of an EventEmitter", () => {
  const codex = new CodexClient({ transport: scriptedServer().transport });
  const heard: string[] = [];
  const listener = (name: string) => () => void heard.push(name);
  const [a, b, c, d] = [listener("a"), listener("b"), listener("c"), listener("d")];
  assert.equal(codex.addListener("state", a).prependListener("state", b).once("state", c), codex);
  codex.prependOnceListener("state", d);
  assert.deepEqual(codex.listeners("state"), [d, b, a, c]);
  assert.deepEqual(codex.rawListeners("state"), [d, b, a, c]);
  assert.deepEqual([codex.eventNames(), codex.listenerCount("state")], [["state"], 4]);
  assert.equal(codex.emit("state", "ready"), true);
  assert.deepEqual(heard.splice(0), ["d", "b", "a", "c"]);
  codex.emit("state", "ready");
  assert.deepEqual(heard.splice(0), ["b", "a"], "those for one occurrence are gone");
  codex.once("state", c).removeListener("state", c);
  assert.equal(codex.listenerCount("state"), 2, "a listener for one occurrence is removed by its own name");
  codex.on("state", a).off("state", a);
  assert.deepEqual(codex.listeners("state"), [b, a], "one of the same is removed at a time");
  codex.on("error", a).removeAllListeners("state");
  assert.deepEqual(codex.eventNames(), ["error"]);
  codex.removeAllListeners();
  assert.equal(codex.emit("state", "ready"), false);
  assert.equal(codex.setMaxListeners(3).getMaxListeners(), 3);
});

test("a listener for one occurrence is called once, also when the event comes again within it", () => {
  const codex = new CodexClient({ transport: scriptedServer().transport });
  let calls = 0;
  codex.once("state", () => {
    calls++;
    codex.emit("state", "ready");
  });
  codex.emit("state", "ready");
  assert.equal(calls, 1);
});

test("a busy turn ends when the client's turnTimeoutMs is over, and a call may say otherwise", async () => {
  await using fixture = await connected({ turnTimeoutMs: 100 });
  const { codex, server } = fixture;
  const thread = await codex.startThread();
  const input = [{ type: "text", text: "go" }] as const;
  // Never silent for long, and never done.
  const forever = new Promise<void>(() => undefined);
  server.turn({
    items: [
      { type: "message", text: "still here", chunks: 5 },
      { type: "wait", until: forever },
    ],
  });
  await assert.rejects(codex.runTurn({ threadId: thread.id, input }), { code: "timeout", mayHaveRun: true });
  const later = new Promise((resolve) => setTimeout(resolve, 200));
  server.turn({ items: [{ type: "wait", until: later }], text: "Done." });
  assert.equal((await codex.runTurn({ threadId: thread.id, input, timeoutMs: 0 })).agentMessage, "Done.");
});
