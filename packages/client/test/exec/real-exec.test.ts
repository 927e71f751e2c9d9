import assert from "node:assert/strict";
import { test } from "node:test";
import { RpcError } from "@quire/client";
import { execOf } from "@quire/client/groups";
import {
  assertNoProcesses,
  eventually,
  isWithin,
  skipWithoutCodex,
  taggedProcesses,
  testedVersions,
} from "@quire/testkit";
import { realPort } from "../support/real-port.ts";

const timeout = 120_000;

for (const version of testedVersions({ since: "0.113.0" })) {
  const skip = await skipWithoutCodex(version);

  test(`commands on Codex ${version}`, { skip, timeout }, async (t) => {
    await using port = await realPort(version);
    const { codex } = port;

    await t.test("output, exit code, folder and environment are right", async () => {
      const result = await execOf(port)('echo "$WORD in $PWD"; echo problem >&2; exit 3', {
        cwd: codex.cwd,
        env: { WORD: "hello" },
      });
      assert.equal(result.stdout, `hello in ${codex.cwd}\n`);
      assert.equal(result.stderr, "problem\n");
      assert.equal(result.exitCode, 3);
      assert.equal(result.truncated, false);
    });

    await t.test("every byte survives the way there and back", async () => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);
      const { stdoutBytes, exitCode } = await execOf(port)(["cat"], { input: bytes });
      assert.equal(exitCode, 0);
      assert.deepEqual(stdoutBytes, bytes);
    });

    await t.test("long output is whole, a limit cuts it", async () => {
      const million = ["sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x"];
      const whole = await execOf(port)(million);
      assert.equal(whole.stdout.length, 3_000_000);
      assert.equal(whole.truncated, false);
      const cut = await execOf(port)(million, { maxOutputBytes: 1000 });
      assert.equal(cut.stdout.length, 1000);
      assert.equal(cut.truncated, true);
    });

    await t.test("a command that takes too long is killed, and rejects with what it wrote", async () => {
      const late = execOf(port)("echo begun; echo oops >&2; sleep 30", { timeoutMs: 300 });
      await assert.rejects(late, { name: "ExecTimeoutError", code: "timeout", stdout: "begun\n", stderr: "oops\n" });
      const own = await execOf(port)("exit 124", { timeoutMs: 20_000 });
      assert.equal(own.exitCode, 124);
      await using stream = execOf(port).stream("echo begun; sleep 30", { timeoutMs: 300 });
      assert.equal(await stream.stdout.text(), "begun\n");
      await assert.rejects(stream.exit, { code: "timeout", mayHaveRun: true });
    });

    await t.test("a conversation with a running command", async () => {
      await using child = execOf(port).stream(["cat"]);
      const chunks = child.stdout.texts();
      await child.write("ping\n");
      assert.equal((await chunks.next()).value, "ping\n");
      await child.write("pong\n");
      assert.equal((await chunks.next()).value, "pong\n");
      await child.closeStdin();
      assert.deepEqual(await child, { exitCode: 0, killed: false });
      await assert.rejects(child.write("late"), /ended/);
    });

    await t.test("a terminal has a size that can change", async () => {
      const script = "stty size; read line; stty size; echo got $line; exit 7";
      await using child = execOf(port).stream(script, { tty: true, size: { cols: 100, rows: 30 } });
      const chunks = child.stdout.texts();
      let size = "";
      // A terminal hands out a line in any number of pieces.
      while (!size.endsWith("\r\n")) size += (await chunks.next()).value;
      assert.equal(size, "30 100\r\n");
      await child.resize({ cols: 50, rows: 20 });
      await child.write("it\n");
      let rest = "";
      for await (const text of chunks) rest += text;
      assert.match(rest, /20 50\r\n/);
      assert.match(rest, /got it\r\n/);
      assert.equal((await child).exitCode, 7);
    });

    await t.test("killing ends the command", async () => {
      const child = execOf(port).stream(["sleep", "60"]);
      await child.kill();
      const { exitCode, killed } = await child;
      assert.equal(exitCode, isWithin(version, { until: "0.130.0" }) ? -1 : 137);
      assert.equal(killed, true);
      await child.kill();
    });

    await t.test("aborting kills a command and its children", async () => {
      const controller = new AbortController();
      const child = execOf(port).stream("echo started; sleep 61; true", { signal: controller.signal });
      assert.equal((await child.stdout[Symbol.asyncIterator]().next()).done, false);
      // Of this server alone: another run of this test may be under way on the machine.
      const sleepers = async () =>
        (await taggedProcesses(codex.tag)).filter(({ command }) => command.includes("sleep 61")).length;
      await eventually(async () => (await sleepers()) === 2, { what: "the shell and its child to run" });
      controller.abort(new Error("enough"));
      await assert.rejects(async () => await child, /enough/);
      await eventually(async () => (await sleepers()) === 0, { what: "both to be gone" });
    });

    await t.test("what the server refuses is its own error", async () => {
      await assert.rejects(execOf(port)(["no-such-program"]), (error) => RpcError.is(error) && error.code === -32603);
      await assert.rejects(execOf(port)([]), /command must not be empty/);
      await using child = execOf(port).stream(["cat"]);
      await assert.rejects(child.resize({ cols: 1, rows: 1 }), /PTY/);
    });

    await t.test("a command that is running when the connection ends fails with its error, and dies", async () => {
      const child = execOf(port).stream(["sleep", "62"]);
      await port[Symbol.asyncDispose]();
      await assert.rejects(async () => await child);
      await assert.rejects(child.stdout.text());
      await assertNoProcesses({ tag: codex.tag });
    });
  });
}

for (const version of testedVersions({ until: "0.111.0" })) {
  const skip = await skipWithoutCodex(version);

  test(`commands on Codex ${version}, which cannot stream`, { skip, timeout }, async () => {
    await using port = await realPort(version);
    const result = await execOf(port)("echo hi; echo problem >&2; exit 4", { cwd: port.codex.cwd });
    assert.equal(result.stdout, "hi\n");
    assert.equal(result.stderr, "problem\n");
    assert.equal(result.exitCode, 4);
    await assert.rejects(execOf(port)(["sleep", "30"], { timeoutMs: 300 }), { code: "timeout", mayHaveRun: true });
    const long = await execOf(port)("head -c 3000 /dev/zero | tr '\\0' x", { maxOutputBytes: 10 });
    assert.deepEqual([long.stdout.length, long.truncated], [10, true]);
    await assert.rejects(execOf(port)(["sleep", "1"], { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
    assert.throws(() => execOf(port).stream(["cat"]), /needs Codex 0\.113\.0 or later/);
  });
}
