import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { jsonSchema, tool } from "@quire/client";
import { SessionError } from "@quire/orchestrator";
import { assertNoProcesses, eventually } from "@quire/testkit";
import { type SessionStage, sessionStage } from "../support/session.ts";

const code = (wanted: string) => (error: unknown) => {
  assert.ok(error instanceof SessionError, String(error));
  assert.equal(error.code, wanted, error.message);
  return true;
};

describe("17.5 the handshake", () => {
  test("the command is run by a login shell in the workspace", async () => {
    await using stage = await sessionStage({
      options: { command: `echo "$0 $PWD $(shopt -q login_shell && echo login)" > said; exit 9` },
    });
    await assert.rejects(stage.start(), code("port_exit"));
    assert.equal(readFileSync(join(stage.workspace, "said"), "utf8").trim(), `bash ${stage.workspace} login`);
  });

  test("initialize with client and capabilities, initialized, thread/start, turn/start, in this order", async () => {
    const echo = tool({ name: "echo", description: "Says it", input: jsonSchema({ type: "object" }), run: () => "" });
    await using stage = await sessionStage({
      codex: { threadSandbox: "read-only", turnSandboxPolicy: { type: "readOnly", networkAccess: false } },
      tools: [echo],
    });
    const session = await stage.start();
    await session.runTurn("Do it");
    const sent = stage.wire().filter(({ method }) => method !== undefined && method !== "thread/name/set");
    assert.deepEqual(
      sent.map(({ method }) => method),
      ["initialize", "initialized", "thread/start", "turn/start"],
    );
    const [initialize, , threadStart, turnStart] = sent.map(({ params }) => params);
    assert.deepEqual(initialize.clientInfo, {
      name: "quire-orchestrator",
      title: "Quire orchestrator",
      version: "0.1.0",
    });
    assert.equal(initialize.capabilities.experimentalApi, true);
    assert.equal(threadStart.cwd, stage.workspace);
    assert.deepEqual([threadStart.approvalPolicy, threadStart.sandbox], ["never", "read-only"]);
    assert.equal(threadStart.dynamicTools[0].name, "echo");
    assert.deepEqual(threadStart.dynamicTools[0].inputSchema, { type: "object" });
    assert.deepEqual(turnStart, {
      threadId: "thread-1",
      input: turnStart.input,
      cwd: stage.workspace,
      title: "A-1: A title",
      approvalPolicy: "never",
      sandboxPolicy: { type: "readOnly", networkAccess: false },
    });
    assert.equal(turnStart.input[0].text, "Do it");
    assert.ok(
      stage.wire().every((message) => message.jsonrpc === undefined),
      "JSON-RPC without its version",
    );
    const name = stage.wire().find(({ method }) => method === "thread/name/set");
    assert.deepEqual(name?.params, { threadId: "thread-1", name: "A-1: A title" });
  });

  test("a whole sandbox policy for the thread becomes its mode and the policy of its turns", async () => {
    const policy = { type: "workspaceWrite", networkAccess: true };
    await using stage = await sessionStage({ codex: { threadSandbox: policy } });
    await (await stage.start()).runTurn("x");
    const of = (name: string) => stage.wire().find(({ method }) => method === name)?.params;
    assert.equal(of("thread/start").sandbox, "workspace-write");
    assert.deepEqual(of("turn/start").sandboxPolicy, policy);
  });

  test("ids of thread and turn make the session's id; it is told when it starts, and all turns are on one thread", async () => {
    await using stage = await sessionStage();
    const session = await stage.start();
    assert.equal(session.threadId, "thread-1");
    await session.runTurn("one");
    await session.runTurn("two");
    assert.deepEqual(stage.ids, [
      ["thread-1", null],
      ["thread-1", "turn-1"],
      ["thread-1", "turn-2"],
    ]);
    assert.deepEqual(stage.events[0], { kind: "session_started", message: "thread thread-1", name: undefined });
    assert.deepEqual(
      stage.events.filter(({ kind }) => kind === "turn_started").map(({ message }) => message),
      ["thread-1-turn-1", "thread-1-turn-2"],
    );
    assert.deepEqual(
      stage.kinds().filter((kind) => kind === "turn_completed"),
      ["turn_completed", "turn_completed"],
    );
  });

  for (const [method, stageName] of [
    ["initialize", "start"],
    ["thread/start", "start"],
    ["turn/start", "turn"],
  ] as const) {
    test(`no reply to ${method} is a response_timeout`, async () => {
      await using stage = await sessionStage({
        behaviour: `silent:${method}`,
        codex: { readTimeoutMs: method === "initialize" ? 300 : 8000 },
      });
      // A machine so busy that a process does not start in that time gets the same answer, only earlier.
      const silent = async () => {
        const session = await stage.start();
        if (stageName === "turn") await session.runTurn("x");
      };
      await assert.rejects(silent, code("response_timeout"));
      if (stageName === "start") assert.ok(stage.kinds().includes("startup_failed"));
    });

    test(`an error as reply to ${method} is a response_error, with the server's words`, async () => {
      await using stage = await sessionStage({ behaviour: `error:${method}` });
      const failing = stageName === "start" ? stage.start() : (await stage.start()).runTurn("x");
      await assert.rejects(failing, (error) => {
        assert.match((error as Error).message, /I would rather not/);
        assert.deepEqual((error as SessionError).payload, { code: -32600, message: "I would rather not" });
        return code("response_error")(error);
      });
    });
  }

  test("a reply to thread/start without a thread is a response_error", async () => {
    await using stage = await sessionStage({ behaviour: "empty:thread/start" });
    await assert.rejects(stage.start(), code("response_error"));
  });

  test("a command that is not there is a codex_not_found that says what to set", async () => {
    await using stage = await sessionStage({ options: { command: "no-such-command-at-all" } });
    await assert.rejects(stage.start(), (error) => {
      assert.match((error as Error).message, /codex\.command/);
      return code("codex_not_found")(error);
    });
  });

  test("a server that ends before it answers is a port_exit", async () => {
    await using stage = await sessionStage({ behaviour: "exit-first" });
    await assert.rejects(stage.start(), (error) => {
      assert.match((error as Error).message, /exited with code 3/);
      return code("port_exit")(error);
    });
  });

  test("a workspace outside of the root, or a link, is an invalid_workspace_cwd, and nothing is started", async () => {
    await using stage = await sessionStage({ options: { command: "touch started" } });
    mkdirSync(join(stage.root, "..", "elsewhere"));
    symlinkSync(join(stage.root, "..", "elsewhere"), join(stage.root, "link"));
    writeFileSync(join(stage.root, "file"), "");
    for (const workspace of [
      join(stage.root, "..", "elsewhere"),
      stage.root,
      join(stage.root, "link"),
      join(stage.root, "file"),
      join(stage.root, "none"),
    ]) {
      await using bad = await sessionStage({ options: { workspace, root: stage.root } });
      await assert.rejects(bad.start(), code("invalid_workspace_cwd"));
    }
  });
});

describe("17.5 the stream", () => {
  test("lines that come in pieces are put together; lines that are no message are told and skipped; stderr is not the protocol", async () => {
    await using stage = await sessionStage({ behaviour: "odd" });
    await (await stage.start()).runTurn("x");
    const malformed = stage.events.filter(({ kind }) => kind === "malformed").map(({ message }) => message);
    assert.equal(malformed.length, 2);
    assert.match(malformed[0] ?? "", /this is no JSON/);
    assert.ok(stage.events.some(({ kind, name }) => kind === "other_message" && name === "something/unheard"));
    assert.ok(
      stage.events.some(
        ({ kind, name, message }) => kind === "notification" && name === "warning" && message.length <= 500,
      ),
    );
    // Nothing says which of two pipes is read first.
    await eventually(() => /not for you/.test(stage.told.stderr), { timeoutMs: 30_000 });
  });

  test("what comes before the reply that is waited for is heard, and the reply still is", async () => {
    await using stage = await sessionStage({ behaviour: "early" });
    await (await stage.start()).runTurn("x");
    assert.equal(stage.told.tokens.totalTokens, 70);
    assert.ok(stage.kinds().includes("other_message"));
    assert.deepEqual(stage.ids.at(-1), ["thread-1", "turn-1"]);
  });

  test("a request with a text as its id is answered under that very id", async () => {
    const finish = tool({ name: "finish", description: "", input: jsonSchema({ type: "object" }), run: () => "done" });
    await using stage = await sessionStage({ behaviour: "texts", tools: [finish] });
    await (await stage.start()).runTurn("x");
    const { answer } = stage.wire().find((line) => line.answer) ?? {};
    assert.deepEqual([answer?.id, answer?.result.success], ["ask-100", true]);
  });

  test("a line of more than 10 MB ends the session", async () => {
    await using stage = await sessionStage({ behaviour: "big" });
    await assert.rejects((await stage.start()).runTurn("x"), code("response_error"));
  });

  test("tokens are counted by absolute totals, whatever is repeated, in today's form and in older ones", async () => {
    await using stage = await sessionStage({ behaviour: "tokens" });
    await (await stage.start()).runTurn("x");
    assert.deepEqual(stage.told.tokens, { inputTokens: 290, outputTokens: 10, totalTokens: 300 });
    assert.deepEqual(stage.told.rateLimits, { primary: { usedPercent: 42, windowDurationMins: 300, resetsAt: null } });
  });
});

describe("17.5 the end of a turn", () => {
  for (const behaviour of ["noop", "bare"]) {
    test(`turn/completed (${behaviour}) is success`, async () => {
      await using stage = await sessionStage({ behaviour });
      await (await stage.start()).runTurn("x");
      assert.equal(stage.kinds().at(-1), "turn_completed");
    });
  }

  for (const [behaviour, wanted, kind] of [
    ["fail", "turn_failed", "turn_failed"],
    ["turn-failed", "turn_failed", "turn_failed"],
    ["turn-cancelled", "turn_cancelled", "turn_cancelled"],
    ["interrupted", "turn_cancelled", "turn_cancelled"],
    ["exit", "port_exit", "turn_ended_with_error"],
  ] as const) {
    test(`${behaviour} is a ${wanted}`, async () => {
      await using stage = await sessionStage({ behaviour });
      await assert.rejects((await stage.start()).runTurn("x"), code(wanted));
      assert.equal(stage.kinds().at(-1), kind);
    });
  }

  test("silence for longer than turn_timeout_ms is a turn_timeout", async () => {
    await using stage = await sessionStage({ behaviour: "hang", codex: { turnTimeoutMs: 200 } });
    await assert.rejects((await stage.start()).runTurn("x"), code("turn_timeout"));
  });

  test("an aborted session ends at any point, and no process is left, not even one that will not go", async () => {
    await using stage = await sessionStage({ behaviour: "child" });
    const session = await stage.start();
    const turn = session.runTurn("x");
    await eventually(() => stage.kinds().includes("turn_started"));
    stage.stop.abort(new Error("enough"));
    await assert.rejects(turn, /enough/);
    await session.close();
    await assertNoProcesses({ descendantsOf: stage.told.pid });
    assert.throws(() => process.kill(stage.told.pid, 0));
  });
});

describe("17.5 questions", () => {
  const answers = (stage: SessionStage) =>
    stage.wire().flatMap(({ answer }) => (answer ? [answer.result as unknown] : []));

  test("what codex.auto_approve names is approved, each time for the one action, by whatever method it is asked for", async () => {
    const codex = { autoApprove: ["commands", "file_changes"] } as const;
    await using stage = await sessionStage({ behaviour: "legacy", codex });
    await (await stage.start()).runTurn("x");
    assert.deepEqual(answers(stage), [{ decision: "approved" }, { decision: "approved" }, { decision: "accept" }]);
    assert.equal(stage.kinds().filter((kind) => kind === "approval_auto_approved").length, 3);
    await using command = await sessionStage({ behaviour: "approval", codex });
    await (await command.start()).runTurn("x");
    assert.deepEqual(answers(command), [{ decision: "accept" }]);
  });

  test("any other approval ends the run at once, with what was asked", async () => {
    await using stage = await sessionStage({ behaviour: "approval" });
    await assert.rejects((await stage.start()).runTurn("x"), (error) => {
      assert.equal(((error as SessionError).payload as { command: string }).command, "rm -rf x");
      return code("approval_required")(error);
    });
    await eventually(() => answers(stage).length === 1);
    assert.deepEqual(answers(stage), [{ decision: "cancel" }]);
  });

  test("a call of an MCP tool is approved once; a question of the model ends the run, and it is told that nobody is there", async () => {
    const nobody = "This is a non-interactive session. Operator input is unavailable.";
    const reply = (id: string, text: string) => ({ answers: { [id]: { answers: [text] } } });
    await using auto = await sessionStage({ behaviour: "input" });
    await assert.rejects((await auto.start()).runTurn("x"), (error) => {
      assert.match((error as Error).message, /has a question \(Why\?\): answer in the issue, then retry/);
      return code("turn_input_required")(error);
    });
    await eventually(() => answers(auto).length === 2);
    assert.deepEqual(answers(auto), [
      reply("mcp_tool_call_approval_call-717", "Approve Once"),
      reply("freeform-718", nobody),
    ]);
    await using careful = await sessionStage({ behaviour: "input", codex: { autoApprove: [] } });
    await assert.rejects((await careful.start()).runTurn("x"), code("turn_input_required"));
    await eventually(() => answers(careful).length >= 1);
    assert.deepEqual(answers(careful)[0], reply("mcp_tool_call_approval_call-717", nobody));
  });

  for (const behaviour of ["elicit", "needs"]) {
    test(`what only a person can answer (${behaviour}) is a turn_input_required, not a wait`, async () => {
      await using stage = await sessionStage({ behaviour });
      await assert.rejects((await stage.start()).runTurn("x"), code("turn_input_required"));
    });
  }

  test("a tool that there is not is answered with failure, and the turn goes on", async () => {
    await using stage = await sessionStage({ behaviour: "unsupported" });
    await (await stage.start()).runTurn("x");
    const [result] = answers(stage) as { success: boolean; contentItems: { type: string; text: string }[] }[];
    assert.equal(result?.success, false);
    assert.match(result?.contentItems[0]?.text ?? "", /^Unsupported dynamic tool "no_such_tool"/);
    assert.ok(stage.kinds().includes("unsupported_tool_call"));
  });

  test("a tool that there is, is run here, and its result is told", async () => {
    const moved: unknown[] = [];
    const finish = tool({
      name: "finish",
      description: "",
      input: jsonSchema({ type: "object" }),
      run: (input, { threadId, turnId }) => void moved.push(input, threadId, turnId),
    });
    await using stage = await sessionStage({ behaviour: "done", tools: [finish] });
    await (await stage.start()).runTurn("x");
    assert.deepEqual(moved, [{}, "thread-1", "turn-1"]);
    const reply = stage.wire().find(({ id, method, result }) => id === 100 && method === undefined && result);
    assert.equal(reply?.result.success, true);
    assert.ok(stage.kinds().includes("tool_call"));
  });
});
