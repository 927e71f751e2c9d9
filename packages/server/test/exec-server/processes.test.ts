/** Commands that an app-server elsewhere runs here. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { execStage } from "./support/exec-client.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

test("a command's output and end are told in order, and can be read again by who missed them", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  assert.deepEqual(await client.start("a", ["sh", "-c", "echo out; exit 3"]), { processId: "a", sandboxType: "none" });
  assert.equal(await client.ended("a"), 3);
  assert.deepEqual(
    client.told.map(({ method, params }) => [method, params.seq]),
    [
      ["process/output", 1],
      ["process/exited", 2],
      ["process/closed", 3],
    ],
  );
  const { chunks, nextSeq, exitCode, closed } = await client.request("process/read", { processId: "a" });
  assert.deepEqual(chunks, [{ seq: 1, stream: "stdout", chunk: base64("out\n") }]);
  assert.deepEqual([nextSeq, exitCode, closed], [4, 3, true]);
  assert.deepEqual(await client.refusal("process/read", { processId: "b" }), [-32600, "unknown process id b"]);
});

test("a process is started once, from a program and a folder that are there", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  await client.start("a", ["true"]);
  const refused = (more: object) =>
    client.refusal("process/start", { processId: "b", argv: ["true"], cwd: "file:///", env: {}, tty: false, ...more });
  assert.deepEqual(await refused({ processId: "a" }), [-32600, "process a already exists"]);
  assert.deepEqual(await refused({ argv: [] }), [-32602, "argv must not be empty"]);
  assert.deepEqual(await refused({ argv: ["/none/such"] }), [-32603, "No such file or directory (os error 2)"]);
  assert.deepEqual(await refused({ cwd: "file:///none/such" }), [-32603, "No such file or directory (os error 2)"]);
  assert.deepEqual(await refused({ cwd: "/" }), [-32602, "invalid URI: relative URL without a base"]);
  assert.match((await refused({ arg0: "other" }))[1], /arg0 is not supported/);
  assert.match((await refused({ enforceManagedNetwork: true }))[1], /no managed network/);
});

test("input that is sent again after a lost answer is written once", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  await client.start("a", ["sh", "-c", "while read line; do echo got $line; done"], { pipeStdin: true });
  const write = (text: string, writeId: string) =>
    client.request("process/write", { processId: "a", chunk: base64(text), writeId });
  for (const id of ["1", "1", "2"]) assert.deepEqual(await write(`${id}\n`, id), { status: "accepted" });
  await eventually(() => client.output("a") === "got 1\ngot 2\n");
  assert.deepEqual(await client.request("process/terminate", { processId: "a" }), { running: true });
  assert.equal(await client.ended("a"), 137);
  assert.deepEqual(await write("3", "3"), { status: "stdinClosed" });
  const unknown = { processId: "none", chunk: "", writeId: "4" };
  assert.deepEqual(await client.request("process/write", unknown), { status: "unknownProcess" });
});

test("a terminal takes what is typed, and an interrupt", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  await client.start("a", ["sh", "-c", "stty size; read x; echo got $x; exec sleep 1000"], { tty: true });
  await eventually(() => client.output("a").includes("24 80"));
  await client.request("process/write", { processId: "a", chunk: base64("abc\n"), writeId: "1" });
  await eventually(() => client.output("a").includes("got abc"));
  assert.equal(client.told[0]?.params.stream, "pty");
  await client.request("process/signal", { processId: "a", signal: "interrupt" });
  assert.notEqual(await client.ended("a"), 0);
});

test("variables are those that the policy lets through, and those of the request", async () => {
  await using stage = await execStage({ env: { ...process.env, PLAIN: "1", SOME_SECRET: "2" } });
  const client = await stage.client();
  const policy = { inherit: "all", ignoreDefaultExcludes: false, exclude: [], set: { SET: "3" }, includeOnly: [] };
  const print = ["sh", "-c", "echo [$PLAIN$SOME_SECRET$SET$OWN]"];
  const env = { PATH: process.env.PATH, OWN: "4" };
  await client.start("all", print, { env, envPolicy: policy });
  await client.start("none", print, { env, envPolicy: null });
  await Promise.all(["all", "none"].map((id) => client.ended(id)));
  assert.deepEqual([client.output("all"), client.output("none")], ["[134]\n", "[4]\n"]);
});

test("a command outlives a lost connection, and its client comes back to what it said meanwhile", async () => {
  await using stage = await execStage();
  const first = await stage.client();
  await first.start("a", ["sh", "-c", "echo before; read x; echo after $x; exec sleep 1000"], { pipeStdin: true });
  await eventually(() => first.output("a") === "before\n");
  const taken = stage.stranger();
  assert.match(
    (await taken.refusal("initialize", { clientName: "x", resumeSessionId: first.sessionId }))[1],
    /attached/,
  );
  await first.connection.close();
  const again = await stage.client(first.sessionId);
  await again.request("process/write", { processId: "a", chunk: base64("all\n"), writeId: "1" });
  const { chunks } = await again.request("process/read", { processId: "a", afterSeq: 1, waitMs: 60_000 });
  assert.deepEqual(chunks, [{ seq: 2, stream: "stdout", chunk: base64("after all\n") }]);
  await again.request("process/terminate", { processId: "a" });
  assert.equal(await again.ended("a"), 137);
});

test("a client that stays away loses its session, and its commands end", async () => {
  await using stage = await execStage({ awayMs: 1 });
  const client = await stage.client();
  await client.start("a", ["sh", "-c", "echo $$; exec sleep 1000"]);
  await eventually(() => client.output("a") !== "");
  const pid = Number(client.output("a"));
  await client.connection.close();
  await eventually(() => !isAlive(pid));
  const late = stage.stranger();
  const back = { clientName: "x", resumeSessionId: client.sessionId };
  await eventually(async () => (await late.refusal("initialize", back))[1].startsWith("unknown session id"));
});

test("output without end is kept in part only", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  await client.start("a", ["sh", "-c", "head -c 5000000 /dev/zero; echo end"]);
  await client.ended("a");
  assert.equal(client.output("a").length, 5_000_004);
  const { chunks } = (await client.request("process/read", { processId: "a" })) as { chunks: { chunk: string }[] };
  const kept = Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk, "base64")));
  assert.ok(kept.length <= 1024 * 1024 && kept.toString().endsWith("end\n"));
});

test("nothing is served before the handshake, and what breaks the protocol ends the connection", async () => {
  await using stage = await execStage();
  const early = stage.stranger();
  const before = "client must call initialize before using exec methods";
  assert.deepEqual(await early.refusal("process/start", {}), [-32600, before]);
  assert.deepEqual(await early.refusal("initialize", {}), [-32602, "missing field `clientName`"]);
  const hasty = stage.stranger();
  await hasty.request("initialize", { clientName: "x" });
  assert.match((await hasty.refusal("fs/readFile", { path: "file:///" }))[1], /^client must send initialized before/);
  assert.match((await hasty.refusal("initialize", { clientName: "x" }))[1], /only be sent once/);
  assert.equal((await hasty.refusal("fs/everything", {}))[0], -32601);
  hasty.connection.notify("process/everything", {});
  await hasty.connection.closed;
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
