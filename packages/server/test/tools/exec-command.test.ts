import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertNoProcesses, eventually, tempDir } from "@quire/testkit";
import { FakeThread, fakeConfig } from "./fake-context.ts";

const session = (text: string) => Number(/session ID (\d+)/.exec(text)?.[1] ?? assert.fail(`no session in ${text}`));
const output = (text: string) => text.slice(text.indexOf("Output:\n") + "Output:\n".length);

/** A mark in the environment by which a test finds what its commands left behind. */
function marked() {
  const value = crypto.randomUUID();
  const raw = { shell_environment_policy: { set: { QUIRE_TEST_MARK: value } } };
  return { tag: `QUIRE_TEST_MARK=${value}`, config: fakeConfig(raw) };
}

describe("exec_command", () => {
  test("a command runs in its folder and tells output, exit code and item", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const text = await thread.call("exec_command", { cmd: "echo hi; pwd; exit 3" });
    assert.match(
      text,
      /^Chunk ID: [0-9a-f]{6}\nWall time: \d+\.\d{4} seconds\nProcess exited with code 3\nOriginal token count: \d+\nOutput:\nhi\n/,
    );
    assert.equal(output(text), `hi\n${dir.path}\n`);
    const [started] = thread.all("started");
    assert.equal(
      started.command,
      "/bin/bash -lc 'echo hi; pwd; exit 3'".replace("/bin/bash", started.command.split(" ")[0]),
    );
    assert.equal(started.source, "unifiedExecStartup");
    assert.equal(started.status, "inProgress");
    assert.equal(started.cwd, dir.path);
    assert.match(started.processId, /^\d{4,6}$/);
    const [completed] = thread.all("completed");
    assert.equal(completed.aggregatedOutput, `hi\n${dir.path}\n`);
    assert.equal(completed.exitCode, 3);
    assert.equal(completed.status, "failed");
    assert.ok(completed.durationMs >= 0);
    const streamed = thread.all("item/commandExecution/outputDelta").map(({ delta }) => delta);
    assert.ok(["", completed.aggregatedOutput].includes(streamed.join("")), "all or, for a short command, nothing");
  });

  test("no output is null, and success is completed", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const text = await thread.call("exec_command", { cmd: "true" });
    assert.equal(output(text), "");
    const [completed] = thread.all("completed");
    assert.equal(completed.aggregatedOutput, null);
    assert.equal(completed.status, "completed");
  });

  test("workdir, shell and login are honoured", async () => {
    await using dir = await tempDir();
    mkdirSync(join(dir.path, "sub"));
    await using thread = new FakeThread(dir.path);
    assert.equal(output(await thread.call("exec_command", { cmd: "pwd", workdir: "sub" })), `${dir.path}/sub\n`);
    await thread.call("exec_command", { cmd: "true", shell: "sh", login: false });
    assert.match(thread.all("started")[1].command, /\/sh -c true$/);
    await thread.call("exec_command", { cmd: "true", shell: "no-such-shell" });
    assert.match(thread.all("started")[2].command, /^\/bin\/sh -lc true$/);
  });

  test("a command that cannot start ends its item and names the folder", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const told = await thread.failure("exec_command", { cmd: "true", workdir: "/no/such" });
    assert.match(told, /^exec_command failed: cannot start .* in \/no\/such/);
    assert.equal(thread.all("started")[0].processId, null);
    assert.equal(thread.all("completed")[0].status, "failed");
    assert.equal(thread.all("completed")[0].exitCode, -1);
  });

  test("bad arguments make no item and are named", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const told = async (args: object | string) => thread.failure("exec_command", args);
    assert.match(await told("nonsense"), /^failed to parse function arguments: /);
    assert.equal(await told({}), "failed to parse function arguments: missing field `cmd` at line 1 column 2");
    assert.equal(
      await told({ cmd: 5 }),
      "failed to parse function arguments: invalid type: integer `5`, expected a string at line 1 column 8",
    );
    assert.match(await told({ cmd: "x", yield_time_ms: -5 }), /invalid value: integer `-5`, expected u64/);
    assert.match(await told({ cmd: "x", sandbox_permissions: "nope" }), /unknown variant `nope`/);
    assert.match(await told({ cmd: "x", sandbox_permissions: "require_escalated" }), /approval policy is Never/);
    assert.deepEqual(thread.told, []);
  });

  test("long output is cut in the middle, by whole characters", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const few = await thread.call("exec_command", { cmd: "seq 1 20000", max_output_tokens: 50 });
    assert.match(few, /Original token count: 27224\n/);
    assert.match(
      output(few),
      /^Warning: truncated output \(original token count: 27224\)\nTotal output lines: 20000\n\n1\n2\n/,
    );
    assert.match(few, /\n3…27174 tokens truncated…984\n/);
    const umlauts = await thread.call("exec_command", {
      cmd: "for i in $(seq 300); do printf é; done; echo",
      max_output_tokens: 11,
    });
    assert.match(umlauts, /\n\né{11}…140 tokens truncated…é{10}\n$/);
    const unasked = await thread.call("exec_command", { cmd: "seq 1 40000" });
    assert.match(unasked, /…218894 chars truncated…/);
  });

  test("an output of 100 MB is kept in bounded memory and its size is told", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const text = await thread.call("exec_command", {
      cmd: "head -c 100000000 /dev/zero | tr '\\0' x",
      yield_time_ms: 30_000,
    });
    assert.match(text, /Original token count: 25000000\n/);
    assert.match(text, /\n\.\.\. 98951424 bytes omitted \.\.\.\n/);
    const [{ aggregatedOutput }] = thread.all("completed");
    assert.equal(aggregatedOutput.length, (1 << 20) + "\n... 98951424 bytes omitted ...\n".length);
    const streamed = thread.all("item/commandExecution/outputDelta").reduce((sum, { delta }) => sum + delta.length, 0);
    assert.ok(streamed < 8 << 20, `a flood is not streamed on: ${streamed}`);
  });

  test("bytes that are no UTF-8 are shown as such and nothing else is harmed", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    assert.equal(
      output(await thread.call("exec_command", { cmd: "printf '\\377\\376ok\\303'" })),
      "\ufffd\ufffdok\ufffd",
    );
  });

  test("output is streamed while a command runs, with no character cut", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const script =
      "echo begin; printf 'caf\\303'; while [ ! -e go ]; do sleep 0.02; done; printf '\\251'; while [ ! -e end ]; do sleep 0.02; done; echo";
    const call = thread.call("exec_command", { cmd: script, yield_time_ms: 30_000 });
    const streamed = () =>
      thread
        .all("item/commandExecution/outputDelta")
        .map(({ delta }) => delta)
        .join("");
    await eventually(() => streamed() === "begin\ncaf");
    await Bun.write(join(dir.path, "go"), "");
    await eventually(() => streamed() === "begin\ncafé");
    await Bun.write(join(dir.path, "end"), "");
    assert.equal(output(await call), "begin\ncafé\n");
    assert.equal(streamed(), "begin\ncafé\n");
    assert.equal(thread.all("item/commandExecution/outputDelta")[0].itemId, "call-1");
  });

  test("secrets of the server stay with it", async () => {
    await using dir = await tempDir();
    const env = {
      ...process.env,
      HOME: dir.path,
      MOCK_PROVIDER_CREDENTIAL: "secret-1",
      GITHUB_TOKEN: "secret-2",
      MY_API_KEY: "secret-3",
      HARMLESS: "yes",
    };
    await using thread = new FakeThread(dir.path, { env });
    const text = await thread.call("exec_command", { cmd: "env", max_output_tokens: 9000 });
    assert.doesNotMatch(text, /secret-[123]/);
    assert.match(text, /HARMLESS=yes/);
    assert.match(text, /NO_COLOR=1/);
  });

  test("interrupting kills the command with all that it started, and the item tells so", async () => {
    await using dir = await tempDir();
    const { tag, config } = marked();
    await using thread = new FakeThread(dir.path, { config });
    const call = thread.call("exec_command", { cmd: "setsid sleep 1000 & sleep 1000 & touch started; wait" });
    await eventually(() => Bun.file(join(dir.path, "started")).exists());
    thread.abort.abort(new Error("interrupted"));
    assert.match(await call, /Process exited with code 143\n/);
    assert.equal(thread.all("completed")[0].status, "failed");
    assert.equal(thread.all("completed")[0].exitCode, 143);
    await assertNoProcesses({ tag });
  });

  test("a command that ignores the request to end is killed", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const call = thread.call("exec_command", { cmd: "trap '' TERM; touch started; while true; do sleep 0.05; done" });
    await eventually(() => Bun.file(join(dir.path, "started")).exists());
    thread.abort.abort(new Error("interrupted"));
    assert.match(await call, /Process exited with code 137\n/);
  });

  test("a child left in the background does not hold up the command, and goes with the thread", async () => {
    await using dir = await tempDir();
    const { tag, config } = marked();
    const thread = new FakeThread(dir.path, { config });
    const text = await thread.call("exec_command", { cmd: "sleep 1000 & setsid sleep 1000 & echo hi" });
    assert.match(text, /exited with code 0/);
    assert.equal(output(text), "hi\n");
    await thread.toolbox.close();
    await assertNoProcesses({ tag });
  });
});

describe("write_stdin", () => {
  test("a command on a terminal is talked to", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const begun = await thread.call("exec_command", {
      cmd: "tty -s && stty size; read x; echo got $x",
      tty: true,
      yield_time_ms: 250,
    });
    const id = session(begun);
    const streamed = () =>
      thread
        .all("item/commandExecution/outputDelta")
        .map(({ delta }) => delta)
        .join("");
    await eventually(() => streamed() === "24 80\r\n");
    const text = await thread.call("write_stdin", { session_id: id, chars: "abc\n", yield_time_ms: 30_000 });
    assert.match(text, /Process exited with code 0\n/);
    assert.match(begun + text, /24 80\r\n[\s\S]*got abc\r\n$/);
    assert.deepEqual(thread.all("item/commandExecution/terminalInteraction"), [
      { itemId: "call-1", processId: String(id), stdin: "abc\n" },
    ]);
    const item = await thread.late();
    assert.match(item.aggregatedOutput ?? "", /24 80\r\nabc\r\ngot abc\r\n/);
    assert.equal(
      await thread.failure("write_stdin", { session_id: id }),
      `write_stdin failed: Unknown process id ${id}`,
    );
  });

  test("without a terminal there is no stdin, but an interrupt gets through", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const id = session(await thread.call("exec_command", { cmd: "sleep 1000", yield_time_ms: 1 }));
    assert.match(
      await thread.failure("write_stdin", { session_id: id, chars: "x" }),
      /stdin is closed for this session/,
    );
    const text = await thread.call("write_stdin", { session_id: id, chars: "\u0003", yield_time_ms: 30_000 });
    assert.match(text, /Process exited with code 130\n/);
  });

  test("the interrupt key of a terminal ends what runs on it", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const id = session(await thread.call("exec_command", { cmd: "sleep 1000", tty: true, yield_time_ms: 1 }));
    assert.match(
      await thread.call("write_stdin", { session_id: id, chars: "\u0003", yield_time_ms: 30_000 }),
      /code 130\n/,
    );
  });

  test("a command that ended unwatched still tells its last words, once", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const script = "echo a; while [ ! -e go ]; do sleep 0.02; done; echo b";
    const begun = await thread.call("exec_command", { cmd: script, yield_time_ms: 250 });
    const id = session(begun);
    await Bun.write(join(dir.path, "go"), "");
    const item = await thread.late();
    assert.equal(item.aggregatedOutput, "a\nb\n");
    assert.equal(item.status, "completed");
    const text = await thread.call("write_stdin", { session_id: id });
    assert.match(text, /Process exited with code 0\n/);
    assert.equal(output(begun) + output(text), "a\nb\n");
    assert.match(await thread.failure("write_stdin", { session_id: id }), /Unknown process id/);
  });

  test("interrupting a wait leaves the command running", async () => {
    await using dir = await tempDir();
    await using thread = new FakeThread(dir.path);
    const id = session(await thread.call("exec_command", { cmd: "sleep 1000", yield_time_ms: 1 }));
    const call = thread.call("write_stdin", { session_id: id });
    thread.abort.abort(new Error("interrupted"));
    assert.match(await call, new RegExp(`Process running with session ID ${id}\n`));
    assert.equal(thread.toolbox.terminals.list().length, 1);
  });
});

describe("background terminals", () => {
  test("they are listed, ended one by one, or all, and their items end as failed", async () => {
    await using dir = await tempDir();
    const { tag, config } = marked();
    await using thread = new FakeThread(dir.path, { config });
    const first = session(await thread.call("exec_command", { cmd: "sleep 1000", yield_time_ms: 1 }));
    await thread.call("exec_command", { cmd: "sleep 1001", yield_time_ms: 1 });
    await thread.call("exec_command", { cmd: "sleep 1002", yield_time_ms: 1, tty: true });
    const { terminals } = thread.toolbox;
    assert.deepEqual(
      terminals.list().map(({ itemId, command, cwd }) => ({ itemId, command, cwd })),
      [1000, 1001, 1002].map((n, at) => ({ itemId: `call-${at + 1}`, command: `sleep ${n}`, cwd: dir.path })),
    );
    assert.equal(await terminals.terminate("nope"), false);
    assert.equal(await terminals.terminate(String(first)), true);
    assert.equal((await thread.late()).id, "call-1");
    await terminals.clean();
    assert.deepEqual(terminals.list(), []);
    assert.deepEqual(
      thread.all("late").map(({ status }) => status),
      ["failed", "failed", "failed"],
    );
    await assertNoProcesses({ tag });
  });

  test("closing the thread ends all and completes every item", async () => {
    await using dir = await tempDir();
    const { tag, config } = marked();
    const thread = new FakeThread(dir.path, { config });
    for (const tty of [false, true]) await thread.call("exec_command", { cmd: "sleep 1000", yield_time_ms: 1, tty });
    await thread.toolbox.close();
    assert.deepEqual([...thread.ended().keys()].sort(), ["call-1", "call-2"]);
    await assertNoProcesses({ tag });
  });
});
