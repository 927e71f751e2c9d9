import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import {
  assertNoProcesses,
  codexAvailable,
  eventually,
  mockResponses,
  realCodex,
  reply,
  skipWithoutCodex,
  taggedProcesses,
} from "@quire/testkit";
import { Driver } from "../support/drive-codex.ts";

const timeout = 120_000;

for (const version of ["0.98.0", "0.118.0", codexVersion]) {
  const skip = await skipWithoutCodex(version);

  test(`Codex ${version} runs a command turn offline and leaves no process`, { skip, timeout }, async () => {
    assert.equal(codexAvailable(version), true);
    await using mock = await mockResponses({ fallback: reply().text("unscripted") });
    await using codex = await realCodex(version, { model: mock });
    mock.script(
      reply().functionCall(
        "exec_command",
        { cmd: "echo $((6 * 7)) > answer.txt; cat answer.txt" },
        { callId: "call_42" },
      ),
      reply().text("The answer is 42."),
    );
    {
      await using driver = await Driver.start(codex);
      assert.equal(
        (await taggedProcesses(codex.tag)).some(({ pid }) => pid === driver.pid),
        true,
      );
      const turn = await driver.runTurn(await driver.startThread(), "compute");

      assert.equal(turn.status, "completed");
      const command = turn.items.find((item) => item.type === "commandExecution");
      assert.equal(command?.aggregatedOutput, "42\n");
      assert.equal(command?.exitCode, 0);
      assert.equal(turn.deltas.join(""), "The answer is 42.");
    }
    assert.equal(mock.requests.length, 2);
    assert.ok(mock.requests[0]?.tools().includes("exec_command"));
    assert.equal(mock.requests[0]?.lastUserText, "compute");
    assert.match(mock.last.functionOutput("call_42") ?? "", /42/);
    assert.equal(existsSync(`${codex.cwd}/answer.txt`), true);
    assert.deepEqual(mock.unknown, []);
    await assertNoProcesses({ tag: codex.tag });
  });
}

const skip = await skipWithoutCodex(codexVersion);

test("the real Codex sees nothing of the developer's keys and settings", { skip, timeout }, async () => {
  process.env.OPENAI_API_KEY = "sk-secret";
  try {
    await using mock = await mockResponses();
    await using codex = await realCodex(codexVersion, { model: mock });
    mock.script(reply().functionCall("exec_command", { cmd: "env; pwd" }, { callId: "env" }));
    await using driver = await Driver.start(codex);
    await driver.runTurn(await driver.startThread(), "show the environment");
    const output = mock.last.functionOutput("env") ?? "";
    assert.doesNotMatch(output, /sk-secret/);
    assert.ok(output.includes(`CODEX_HOME=${codex.home}`));
    assert.ok(output.trimEnd().endsWith(codex.cwd));
  } finally {
    delete process.env.OPENAI_API_KEY;
  }
});

const skip118 = await skipWithoutCodex("0.118.0");

test("Codex 0.118 finds its index in a new home, not yet a thread, and nothing runs", {
  skip: skip118,
  timeout,
}, async () => {
  await using mock = await mockResponses();
  await using codex = await realCodex("0.118.0", { model: mock, config: { model_context_window: 717 } });
  assert.equal(existsSync(join(codex.home, "state_5.sqlite")), true);
  assert.match(readFileSync(join(codex.home, "config.toml"), "utf8"), /717/);
  await assertNoProcesses({ tag: codex.tag });
  await using driver = await Driver.start(codex);
  const listed = async () => ((await driver.connection.request("thread/list", {})) as { data: object[] }).data;
  assert.deepEqual(await listed(), []);
  await driver.runTurn(await driver.startThread(), "the first");
  const [thread] = await eventually(async () => (await listed()).length > 0 && listed());
  assert.equal((thread as { preview: string }).preview, "the first");
});

test("disposal kills what a test left running and removes its folders", { skip, timeout }, async () => {
  await using mock = await mockResponses();
  const codex = await realCodex(codexVersion, { model: mock });
  const driver = await Driver.start(codex);
  const ended = driver.connection.closed;
  await codex[Symbol.asyncDispose]();
  await ended;
  await assertNoProcesses({ tag: codex.tag });
  assert.equal(existsSync(codex.home), false);
  assert.equal(existsSync(codex.cwd), false);
});

test("a home outlives its Codex, so a test can restart on the same threads", { skip, timeout }, async () => {
  await using mock = await mockResponses();
  await using first = await realCodex(codexVersion, { model: mock });
  let threadId = "";
  {
    await using driver = await Driver.start(first);
    threadId = await driver.startThread();
    await driver.runTurn(threadId, "remember this");
  }
  await using second = await realCodex(codexVersion, { model: mock, home: first.home, cwd: first.cwd });
  await using driver = await Driver.start(second);
  await driver.connection.request("thread/resume", { threadId });
  await driver.runTurn(threadId, "and this");
  assert.match(mock.last.inputText("user"), /remember this/);
});
