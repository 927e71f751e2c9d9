import assert from "node:assert/strict";
import { test } from "node:test";
import { RpcError } from "@quire/client";
import { execOf } from "@quire/client/groups";
import type { CommandExecResponse } from "@quire/protocol";
import { codexVersion } from "@quire/protocol/version";
import { deferred, FakePort } from "../support/fake-port.ts";

const quiet: CommandExecResponse = { exitCode: 0, stdout: "", stderr: "" };
const base64 = (text: string) => btoa(text);
const invalid = () => new RpcError({ code: -32600, message: "no active command/exec" });

/** A server on which commands run until the test ends them. */
function running(version = codexVersion) {
  const port = new FakePort();
  port.serverVersion = version;
  const exit = deferred<CommandExecResponse>();
  port.on("command/exec", async (_, { signal }) => {
    signal?.addEventListener("abort", () => exit.reject(signal.reason));
    return exit.promise;
  });
  const processId = () => port.paramsOf("command/exec")[0]?.processId ?? "";
  const output = (text: string, stream: "stdout" | "stderr" = "stdout", capReached = false) =>
    port.send("command/exec/outputDelta", { processId: processId(), stream, deltaBase64: base64(text), capReached });
  return { port, exit, processId, output };
}

test("exec gives text and exact bytes of both streams", async () => {
  const { port, exit, output } = running();
  const result = execOf(port)("make", { cwd: "/repo", env: { CI: "1" } });
  output("\xff\xfe");
  output("ok\n");
  output("warning", "stderr");
  port.send("command/exec/outputDelta", {
    processId: "other",
    stream: "stdout",
    deltaBase64: "eHg=",
    capReached: false,
  });
  exit.resolve({ ...quiet, exitCode: 3 });
  const { stdoutBytes, stderrBytes, ...rest } = await result;
  assert.deepEqual([...stdoutBytes], [0xff, 0xfe, 0x6f, 0x6b, 0x0a]);
  assert.equal(stderrBytes.length, 7);
  const stdout = "\ufffd\ufffdok\n";
  assert.deepEqual(rest, { exitCode: 3, stdout, stderr: "warning", truncated: false, killed: false });
  const [params] = port.paramsOf("command/exec");
  assert.deepEqual(params?.command, ["sh", "-c", "make"]);
  assert.equal(params?.cwd, "/repo");
  assert.equal(params?.disableTimeout, true);
  assert.equal(params?.streamStdin, false);
  assert.equal(port.listeners, 0);
});

test("output beyond the limit is dropped, and that is told", async () => {
  const { port, exit, output } = running();
  const result = execOf(port)(["cat"], { maxOutputBytes: 6 });
  output("abcd");
  output("efgh");
  output("ijkl");
  exit.resolve(quiet);
  const { stdout, truncated } = await result;
  assert.equal(stdout, "abcdef");
  assert.equal(truncated, true);
  assert.equal(port.paramsOf("command/exec")[0]?.outputBytesCap, 6);
});

test("a limit that the server reached is told", async () => {
  const { port, exit, output } = running();
  const result = execOf(port)(["cat"]);
  output("abcd", "stderr", true);
  exit.resolve(quiet);
  assert.equal((await result).truncated, true);
});

test("a slow reader costs no more than the buffer, and reads an unbroken beginning", async () => {
  const { port, exit, output } = running();
  const child = execOf(port).stream(["yes"], { maxBufferedBytes: 10 });
  for (let index = 0; index < 1000; index++) output(`${index}\n`);
  const first = await child.stdout[Symbol.asyncIterator]().next();
  assert.equal(new TextDecoder().decode(first.value), "0\n");
  output("late");
  exit.resolve(quiet);
  assert.equal(await child.stdout.text(), "1\n2\n3\n4\n");
  assert.equal(child.stdout.truncated, true);
  assert.equal(child.stderr.truncated, false);
});

test("a reader that keeps up sees everything as it comes, characters whole", async () => {
  const { port, exit, output } = running();
  const child = execOf(port).stream(["yes"], { maxBufferedBytes: 4 });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const text of child.stdout.texts()) seen.push(text);
  })();
  for (const part of ["a\xe2", "\x82", "\xac", "b"]) {
    output(part);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(seen, ["a", "€", "b"]);
  exit.resolve(quiet);
  await reading;
  assert.equal(child.stdout.truncated, false);
  assert.deepEqual(await child, { exitCode: 0, killed: false });
});

test("a reader that stops early does not make the rest pile up", async () => {
  const { port, exit, output } = running();
  const child = execOf(port).stream(["yes"]);
  output("one");
  for await (const _ of child.stdout) break;
  output("two");
  exit.resolve(quiet);
  await child;
  assert.equal(await child.stdout.text(), "");
  assert.equal(child.stdout.truncated, false);
});

test("writes keep their order, long ones are cut, and closing comes last", async () => {
  const { port, exit } = running();
  const child = execOf(port).stream(["cat"]);
  const long = new Uint8Array(1_200_000).fill(120);
  const writes = [child.write("first"), child.write(long), child.write(""), child.closeStdin("end")];
  await Promise.all(writes);
  const sent = port.paramsOf("command/exec/write");
  const sizes = sent.map(({ deltaBase64 }) => atob(deltaBase64 ?? "").length);
  assert.deepEqual(sizes, [5, 524_288, 524_288, 151_424, 3]);
  assert.deepEqual(
    sent.map(({ closeStdin }) => closeStdin ?? false),
    [false, false, false, false, true],
  );
  exit.resolve(quiet);
  await child;
  await assert.rejects(child.write("late"), /ended/);
});

test("input is written and stdin closed", async () => {
  const { port, exit } = running();
  const result = execOf(port)(["cat"], { input: "hello" });
  port.on("command/exec/write", () => {
    exit.resolve(quiet);
    return {};
  });
  await result;
  assert.equal(port.paramsOf("command/exec")[0]?.streamStdin, true);
  assert.deepEqual(
    port.paramsOf("command/exec/write").map(({ closeStdin }) => closeStdin),
    [true],
  );
});

test("aborting kills the command on the server, then rejects with the reason", async () => {
  const { port, exit, processId } = running();
  const controller = new AbortController();
  const result = execOf(port)(["sleep", "9"], { signal: controller.signal });
  port.on("command/exec/terminate", (params) => {
    assert.equal(params.processId, processId());
    exit.resolve({ ...quiet, exitCode: 137 });
    return {};
  });
  controller.abort(new Error("enough"));
  await assert.rejects(result, /enough/);
  assert.equal(port.paramsOf("command/exec/terminate").length, 1);
  assert.equal(port.listeners, 0);
});

test("nothing is sent when the signal was aborted before", async () => {
  const { port } = running();
  await assert.rejects(execOf(port)(["ls"], { signal: AbortSignal.abort(new Error("early")) }), /early/);
  assert.deepEqual(port.made, []);
  assert.equal(port.listeners, 0);
});

test("killing what has ended already is no error", async () => {
  const { port, exit } = running();
  port.on("command/exec/terminate", () => Promise.reject(invalid()));
  const child = execOf(port).stream(["true"]);
  const killing = child.kill();
  exit.resolve(quiet);
  await killing;
  assert.equal((await child).killed, false);
  await child.kill();
  await child[Symbol.asyncDispose]();
});

test("a command that cannot start fails the streams too, and nobody has to look at all of them", async () => {
  const { port, exit } = running();
  const child = execOf(port).stream(["nope"]);
  exit.reject(new RpcError({ code: -32603, message: "failed to spawn" }));
  await assert.rejects(child.stdout.text(), /failed to spawn/);
  await assert.rejects(async () => await child, /failed to spawn/);
});

test("on Codex 0.98 exec works, and what it cannot do is refused with the version that can", async () => {
  const { port, exit } = running("0.98.0");
  const result = execOf(port)(["ls"]);
  exit.resolve({ exitCode: 1, stdout: "file", stderr: "bad" });
  const { stdout, stderr, exitCode } = await result;
  assert.deepEqual([stdout, stderr, exitCode], ["file", "bad", 1]);
  const [params] = port.paramsOf("command/exec");
  assert.deepEqual(Object.keys(params ?? {}).sort(), ["command", "timeoutMs"]);
  const refused = (error: unknown) => RpcError.is(error) && /needs Codex 0\.113\.0 or later/.test(error.message);
  assert.throws(() => execOf(port).stream(["ls"]), refused);
  await assert.rejects(execOf(port)(["ls"], { input: "x" }), refused);
  await assert.rejects(execOf(port)(["ls"], { env: { A: "b" } }), refused);
});
