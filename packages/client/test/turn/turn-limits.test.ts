import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexClient, ConnectionError, OutputError } from "@quire/client";
import { gate, scriptedServer } from "@quire/testkit";

test("a turn that takes longer than its timeout is interrupted on the server and rejects with a timeout", async () => {
  await using server = scriptedServer();
  server.turn({ items: [{ type: "wait", until: new Promise(() => {}) }], text: "never" });
  await using client = new CodexClient({ transport: server.transport });
  await client.connect();
  const turn = (await client.thread()).run("go", { timeoutMs: 20 });
  await assert.rejects(
    Promise.resolve(turn),
    (error) => ConnectionError.is(error) && error.code === "timeout" && error.mayHaveRun && /20 ms/.test(error.message),
  );
  await server.waitFor("turn/interrupt");
});

test("a turn asked for while another runs on its thread waits for it, and aborting it meanwhile starts nothing", async () => {
  await using server = scriptedServer();
  const held = gate();
  server.turn({ items: [{ type: "wait", until: held }], text: "first" }, { text: "third" });
  await using client = new CodexClient({ transport: server.transport });
  await client.connect();
  const thread = await client.thread();
  const stop = new AbortController();
  const first = thread.run("one");
  const second = thread.run("two", { signal: stop.signal });
  const third = thread.run("three");
  await first.id;
  const reason = new Error("not needed");
  stop.abort(reason);
  await assert.rejects(Promise.resolve(second), reason);
  held.open();
  assert.equal((await first).agentMessage, "first");
  assert.equal((await third).agentMessage, "third");
  const started = server.received.filter(({ method }) => method === "turn/start");
  assert.deepEqual(
    started.map(({ params }) => (params as { input: { text: string }[] }).input[0]?.text),
    ["one", "three"],
  );
});

test("what fails before the handshake is done has not run, so that trying again is safe", async () => {
  await assert.rejects(
    CodexClient.spawn({ command: ["no-such-program-anywhere"] }),
    (error) => ConnectionError.is(error) && error.code === "spawn-failed" && !error.mayHaveRun,
  );
  await assert.rejects(
    CodexClient.spawn({ command: [process.execPath, "-e", "process.exit(3)"] }),
    (error) => ConnectionError.is(error) && error.exitCode === 3 && !error.mayHaveRun,
  );
  await using server = scriptedServer();
  server.on("initialize", () => new Promise(() => {}));
  const client = new CodexClient({ transport: server.transport, requestTimeoutMs: 20 });
  await assert.rejects(
    client.connect(),
    (error) => ConnectionError.is(error) && error.code === "timeout" && !error.mayHaveRun,
  );
});

test("an address of another kind is refused with the kinds that there are", async () => {
  await assert.rejects(CodexClient.connect("http://127.0.0.1:1"), /ws:\/\/, wss:\/\/ or unix:\/\//);
});

test("a turn that was asked for an output and is interrupted rejects, so that an output is never undefined", async () => {
  await using server = scriptedServer();
  server.turn({ items: [{ type: "wait", until: new Promise(() => {}) }], text: "never" });
  await using client = await CodexClient.connect(server.transport);
  const thread = await client.thread();
  const turn = thread.run("go", { output: { type: "object", properties: { a: { type: "string" } } } });
  await turn.id;
  await turn.interrupt();
  await assert.rejects(
    Promise.resolve(turn),
    (error) => OutputError.is(error) && error.interrupted && /interrupted/.test(error.message),
  );
});
