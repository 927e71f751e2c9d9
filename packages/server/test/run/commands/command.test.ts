import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { RpcError } from "@quire/jsonrpc";
import { assertNoProcesses, eventually } from "@quire/testkit";
import { longEnough } from "../../support/long-enough.ts";
import { testServer } from "../../support/test-server.ts";

const fullAccess = { type: "dangerFullAccess" };
const base64 = (text: string) => Buffer.from(text).toString("base64");

async function talking() {
  const server = await testServer({ model: "offline" });
  const talk = server.client;
  const exec = (command: string[], more: object = {}) =>
    talk.request("command/exec", { command, sandboxPolicy: fullAccess, ...more });
  const output = (name: string) =>
    Buffer.concat(
      talk.received
        .filter(({ params }) => params.processId === name || params.processHandle === name)
        .filter(({ params }) => params.deltaBase64 !== undefined)
        .map(({ params }) => Buffer.from(params.deltaBase64, "base64")),
    );
  return { server, talk, exec, output };
}

const refused = (code: number, message: RegExp) => (error: unknown) =>
  RpcError.is(error) && error.code === code && message.test(error.message);

test("a command's output, exit code and environment are what it made of them", async () => {
  const { server, exec } = await talking();
  await using _ = server;
  const script = 'echo "$WORD$HOME"; echo problem >&2; exit 3';
  assert.deepEqual(await exec(["sh", "-c", script], { env: { WORD: "hi", HOME: null } }), {
    exitCode: 3,
    stdout: "hi\n",
    stderr: "problem\n",
  });
});

test("output beyond the cap is dropped from each stream, and a stream says that it is full", async () => {
  const { server, talk, exec } = await talking();
  await using _ = server;
  const command = ["sh", "-c", "printf abcdef; printf uvwxyz >&2"];
  const { stdout, stderr } = await exec(command, { outputBytesCap: 3 });
  assert.deepEqual([stdout, stderr], ["abc", "uvw"]);
  await exec(command, { outputBytesCap: 3, processId: "cap", streamStdoutStderr: true });
  const told = talk
    .all("command/exec/outputDelta")
    .map(({ stream, deltaBase64, capReached }) => [stream, deltaBase64, capReached]);
  assert.deepEqual(told.sort(), [
    ["stderr", base64("uvw"), true],
    ["stdout", base64("abc"), true],
  ]);
});

test("any bytes come out as they went in, before the reply", async () => {
  const { server, talk, exec, output } = await talking();
  await using _ = server;
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256);
  const options = { processId: "cat", streamStdin: true, streamStdoutStderr: true, disableOutputCap: true };
  let seenAtReply = 0;
  const ended = exec(["cat"], options).then((end) => {
    seenAtReply = output("cat").length;
    return end;
  });
  await talk.request("command/exec/write", { processId: "cat", deltaBase64: Buffer.from(bytes).toString("base64") });
  await talk.request("command/exec/write", { processId: "cat", closeStdin: true });
  assert.deepEqual(await ended, { exitCode: 0, stdout: "", stderr: "" });
  assert.equal(seenAtReply, bytes.length);
  assert.ok(output("cat").equals(bytes));
});

test("a command that takes too long ends with 124, one that is killed with 137", async () => {
  const { server, talk, exec } = await talking();
  await using _ = server;
  const late = await longEnough(async (timeoutMs) => {
    const end = await exec(["sh", "-c", "echo part; sleep 60"], { timeoutMs });
    return end.stdout === "" ? undefined : end;
  });
  assert.deepEqual(late, { exitCode: 124, stdout: "part\n", stderr: "" });
  const killed = exec(["sleep", "60"], { processId: "k", disableTimeout: true });
  await talk.request("command/exec/terminate", { processId: "k" });
  assert.equal((await killed).exitCode, 137);
});

test("a command that never reads its input can still be killed", async () => {
  const { server, talk, exec } = await talking();
  await using _ = server;
  const ended = exec(["sleep", "60"], { processId: "deaf", streamStdin: true, disableTimeout: true });
  const chunk = Buffer.alloc(4 * 1024 * 1024).toString("base64");
  await Promise.all([1, 2, 3].map(() => talk.request("command/exec/write", { processId: "deaf", deltaBase64: chunk })));
  await talk.request("command/exec/terminate", { processId: "deaf" });
  assert.equal((await ended).exitCode, 137);
});

test("a terminal has a size that can change", async () => {
  const { server, talk, exec, output } = await talking();
  await using _ = server;
  const ended = exec(["sh", "-c", "stty size; read x; stty size"], {
    processId: "t",
    tty: true,
    size: { cols: 100, rows: 30 },
  });
  await eventually(() => output("t").includes("30 100"));
  await talk.request("command/exec/resize", { processId: "t", size: { cols: 50, rows: 20 } });
  await talk.request("command/exec/write", { processId: "t", deltaBase64: base64("\n") });
  await ended;
  assert.match(output("t").toString(), /20 50/);
});

test("what does not go together is refused with its reason", async () => {
  const { server, talk, exec } = await talking();
  await using _ = server;
  const wrong: [object, number, RegExp][] = [
    [{ command: [] }, -32600, /must not be empty/],
    [{ timeoutMs: 1, disableTimeout: true }, -32602, /both timeoutMs and disableTimeout/],
    [{ outputBytesCap: 1, disableOutputCap: true }, -32602, /both outputBytesCap and disableOutputCap/],
    [{ timeoutMs: -1 }, -32602, /non-negative, got -1/],
    [{ tty: true }, -32600, /requires a client-supplied processId/],
    [{ processId: "a", size: { cols: 1, rows: 1 } }, -32602, /size requires tty: true/],
    [{ command: ["no-such-program"] }, -32603, /failed to spawn command: No such file/],
  ];
  for (const [params, code, message] of wrong) await assert.rejects(exec(["true"], params), refused(code, message));
  const write = (params: object) => talk.request("command/exec/write", params);
  await assert.rejects(write({ processId: "x", deltaBase64: "" }), refused(-32600, /no active command\/exec/));
  const ended = exec(["sleep", "60"], { processId: "x", disableTimeout: true });
  await assert.rejects(exec(["true"], { processId: "x" }), refused(-32600, /duplicate active .*"x"/));
  await assert.rejects(write({ processId: "x" }), refused(-32602, /requires deltaBase64 or closeStdin/));
  await assert.rejects(write({ processId: "x", deltaBase64: "!!" }), refused(-32602, /Invalid symbol 33, offset 0/));
  await assert.rejects(write({ processId: "x", deltaBase64: "YQ==" }), refused(-32600, /not enabled/));
  await talk.request("command/exec/terminate", { processId: "x" });
  await ended;
});

test("without a policy of its own a command is confined as the configuration says", async () => {
  const { server, talk } = await talking();
  await using _ = server;
  writeFileSync(join(server.home, "config.toml"), 'sandbox_mode = "read-only"\n');
  const target = join("/var/tmp", `quire-test-${crypto.randomUUID()}`);
  const { exitCode } = await talk.request("command/exec", { command: ["sh", "-c", `echo x > ${target}`] });
  assert.notEqual(exitCode, 0);
});

test("ids belong to a connection, and its commands die with it", async () => {
  const { server, talk, exec } = await talking();
  await using _ = server;
  const tag = `quire-test-${crypto.randomUUID()}`;
  const gone = exec(["sh", "-c", "echo up; sleep 600"], {
    processId: "p",
    streamStdoutStderr: true,
    disableTimeout: true,
    env: { QUIRE_TEST_MARK: tag },
  });
  gone.catch(() => undefined);
  await talk.waitFor("command/exec/outputDelta");
  const other = await server.connect();
  await assert.rejects(other.request("command/exec/terminate", { processId: "p" }), /no active/);
  await talk.close();
  await assertNoProcesses({ tag: `QUIRE_TEST_MARK=${tag}` });
});

test("a process tells its output and its end", async () => {
  const { server, talk, output } = await talking();
  await using _ = server;
  const params = { processHandle: "p", cwd: server.home, streamStdin: true, streamStdoutStderr: true };
  await talk.request("process/spawn", { ...params, command: ["sh", "-c", "cat; exit 3"] });
  await talk.request("process/writeStdin", { processHandle: "p", deltaBase64: base64("xyz"), closeStdin: true });
  const { exitCode, stdout } = await talk.waitFor("process/exited");
  assert.deepEqual([exitCode, stdout, output("p").toString()], [3, "", "xyz"]);
  await assert.rejects(talk.request("process/kill", { processHandle: "p" }), refused(-32600, /no active process/));
});
