import assert from "node:assert/strict";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Connection, RpcError } from "@quire/jsonrpc";
import { loadRecording, type Recording, record, replay, scriptedServer, tempDir } from "@quire/testkit";

/** A client that starts a thread and runs a turn with one approval; gives what it saw. */
async function clientRun(connection: Connection, extraRequests = 0): Promise<unknown[]> {
  const seen: unknown[] = [];
  connection.handle("item/commandExecution/requestApproval", (params) => {
    seen.push(["asked", (params as { command: string }).command]);
    return { decision: "accept" };
  });
  const completed = new Promise<void>((resolve) => connection.on("turn/completed", () => resolve()));
  for (const method of ["item/completed", "item/agentMessage/delta"]) {
    connection.on(method, (params) => void seen.push([method, params]));
  }
  // Shifts the ids, so that a replay must not depend on them.
  for (let count = 0; count < extraRequests; count++) {
    await assert.rejects(
      connection.request("not/recorded", {}),
      (error) => RpcError.is(error) && error.code === -32601,
    );
  }
  await connection.request("initialize", { clientInfo: { name: "t", version: "1" } });
  connection.notify("initialized");
  const { thread } = (await connection.request("thread/start", {})) as { thread: { id: string } };
  await connection.request("turn/start", { threadId: thread.id, input: [{ type: "text", text: "go" }] });
  await completed;
  return seen;
}

async function recordRun(file?: string): Promise<{ recording: Recording; seen: unknown[] }> {
  await using server = scriptedServer();
  server.turn({
    items: [{ type: "command", command: "ls", output: "x\n", approval: true }],
    text: "one file",
    chunks: 3,
  });
  const transport = record(server.transport, file === undefined ? {} : { file });
  const connection = new Connection(transport);
  const seen = await clientRun(connection);
  await connection.close();
  return { recording: transport.entries, seen };
}

test("a recording played back gives the client what the server gave it, whatever its ids", async () => {
  const { recording, seen } = await recordRun();
  const transport = replay(recording);
  await using connection = new Connection(transport);
  assert.deepEqual(await clientRun(connection, 3), seen);
  assert.equal(transport.waitingFor, undefined);
});

test("a recording file is complete once the connection is closed", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "run.ndjson");
  const { seen } = await recordRun(file);
  const recording = await loadRecording(file);
  assert.equal(recording[0]?.from, "client");
  assert.match(recording[0]?.text ?? "", /"initialize"/);
  assert.match(recording.at(-1)?.text ?? "", /turn\/completed/);
  assert.ok(recording.every((entry, index) => entry.at >= (recording[index - 1]?.at ?? 0)));
  await using connection = new Connection(replay(recording));
  assert.deepEqual(await clientRun(connection), seen);
});

test("a torn last line is left out, a broken line in the middle is an error", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "run.ndjson");
  await recordRun(file);
  const whole = await loadRecording(file);
  await appendFile(file, '{"at":99,"from":"ser');
  assert.deepEqual(await loadRecording(file), whole);
  await writeFile(file, `${await readFile(file, "utf8")}\n{}\n`);
  await assert.rejects(loadRecording(file), /is no entry of a recording/);
});

test("a replay waits for the client and says for what", async () => {
  const { recording } = await recordRun();
  const transport = replay(recording);
  await using connection = new Connection(transport);
  assert.equal(transport.waitingFor, "request initialize");
  await connection.request("initialize", {});
  assert.equal(transport.waitingFor, "request thread/start");
  await connection.request("thread/start", {});
  assert.equal(transport.received.length, 2);
});

test("a recorder on the server's side tells the sides apart all the same", async () => {
  await using server = scriptedServer();
  const transport = record(server.transport, { side: "server" });
  const connection = new Connection(transport);
  await connection.request("initialize", {});
  await connection.close();
  assert.deepEqual(
    transport.entries.map(({ from }) => from),
    ["server", "client"],
  );
});

test("a file that cannot be written is reported by close", async () => {
  await using dir = await tempDir();
  await using server = scriptedServer();
  const transport = record(server.transport, { file: join(dir.path, "missing", "run.ndjson") });
  transport.start({ message() {}, closed() {} });
  transport.send("{}");
  await assert.rejects(transport.close(), /ENOENT/);
});
