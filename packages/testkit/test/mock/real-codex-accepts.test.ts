import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { gate, httpError, mockResponses, realCodex, reply, type ScriptedReply, skipWithoutCodex } from "@quire/testkit";
import { Driver, type FinishedTurn, paramsOf } from "../support/drive-codex.ts";

const version = codexVersion;
const options = { skip: await skipWithoutCodex(version), timeout: 120_000 };

test(
  "the real Codex takes reasoning, parallel calls, a patch, a search and text as its model's own",
  options,
  async () => {
    await using mock = await mockResponses({ strict: "openai" });
    // A model of the catalogue, since only those are offered apply_patch.
    await using codex = await realCodex(version, { model: mock, modelName: "gpt-5.5" });
    await using driver = await Driver.start(codex);
    const patch = "*** Begin Patch\n*** Add File: made.txt\n+by a patch\n*** End Patch\n";
    mock.script(
      reply()
        .reasoning(["**Two** at once", "and more"], { encrypted: "opaque" })
        .functionCall("exec_command", { cmd: "echo one" }, { callId: "one" })
        .functionCall("exec_command", { cmd: "echo two" }, { callId: "two" })
        .usage({ input: 1000, cachedInput: 400, output: 50, reasoning: 20 })
        .rateLimits({ primary: { usedPercent: 42, windowMinutes: 300, resetsAt: 1_893_456_000 } }),
      reply().customToolCall("apply_patch", patch, { callId: "patch" }),
      reply().webSearch("quires and codices").text("All 👍 done, at last.", { chunks: 5, phase: "final_answer" }),
    );
    const turn = await driver.runTurn(await driver.startThread(), "do everything");

    assert.equal(turn.status, "completed");
    const types = turn.items.map((item) => item.type).sort();
    assert.deepEqual(types, [
      "agentMessage",
      "commandExecution",
      "commandExecution",
      "fileChange",
      "reasoning",
      "userMessage",
      "webSearch",
    ]);
    assert.deepEqual(turn.items.find((item) => item.type === "reasoning")?.summary, ["**Two** at once", "and more"]);
    assert.equal(turn.items.find((item) => item.type === "webSearch")?.query, "quires and codices");
    assert.deepEqual(turn.deltas.length, 5);
    assert.equal(turn.deltas.join(""), "All 👍 done, at last.");
    assert.equal(readFileSync(`${codex.cwd}/made.txt`, "utf8"), "by a patch\n");

    const second = mock.requests[1];
    assert.match(second?.functionOutput("one") ?? "", /one/);
    assert.match(second?.functionOutput("two") ?? "", /two/);
    assert.deepEqual(
      second?.functionOutputs().map(({ callId }) => callId),
      ["one", "two"],
    );
    assert.ok(second?.body.input.some((item) => item.encrypted_content === "opaque"));
    assert.match(mock.last.functionOutput("patch") ?? "", /made\.txt/);
    assert.ok(mock.last.tools().includes("apply_patch"));
    assert.equal(mock.last.tool("apply_patch")?.type, "custom");

    const usage = turn.events.find((event) => event.method === "thread/tokenUsage/updated");
    assert.ok(usage);
    const { last } = paramsOf(usage).tokenUsage as { last: Record<string, number> };
    assert.equal(last.inputTokens, 1000);
    assert.equal(last.cachedInputTokens, 400);
    assert.equal(last.reasoningOutputTokens, 20);
    assert.equal(last.totalTokens, 1050);
    assert.equal(mock.remaining, 0);
    assert.deepEqual(mock.refused, [], "a strict mock refuses nothing of Codex's requests");
  },
);

test("rate-limit headers reach the client of the real Codex", options, async () => {
  await using mock = await mockResponses();
  await using codex = await realCodex(version, { model: mock });
  await using driver = await Driver.start(codex);
  const updated = driver.next((message) => message.method === "account/rateLimits/updated");
  mock.script(
    reply()
      .text("hi")
      .rateLimits({ primary: { usedPercent: 42 }, secondary: { usedPercent: 7, windowMinutes: 10080 } }),
  );
  await driver.runTurn(await driver.startThread(), "hello");
  const { rateLimits } = paramsOf(await updated) as { rateLimits: Record<string, { usedPercent: number }> };
  assert.equal(rateLimits.primary?.usedPercent, 42);
  assert.equal(rateLimits.secondary?.usedPercent, 7);
});

test("the real Codex fails a turn in the expected way for each broken reply", options, async () => {
  await using mock = await mockResponses();
  await using codex = await realCodex(version, { model: mock });
  await using driver = await Driver.start(codex);
  const usageLimit = { error: { type: "usage_limit_reached", message: "Limit reached" } };
  const cases: readonly (readonly [string, ScriptedReply, unknown])[] = [
    ["context", reply().failed("context_length_exceeded", "too long"), "contextWindowExceeded"],
    ["quota", reply().failed("insufficient_quota", "no money"), "usageLimitExceeded"],
    ["incomplete", reply().text("half").incomplete("max_output_tokens"), "other"],
    ["cut", reply().text("half a sen", { unfinished: true }).cut(), "other"],
    ["truncated", reply().text("half a sen", { unfinished: true }).truncate(), "other"],
    ["unauthorized", httpError(401), { httpConnectionFailed: { httpStatusCode: 401 } }],
    ["too many", httpError(429, usageLimit, { "retry-after": "1" }), "usageLimitExceeded"],
    ["internal", httpError(500, "oops"), "internalServerError"],
  ];
  for (const [name, broken, expected] of cases) {
    mock.script(broken);
    const turn: FinishedTurn = await driver.runTurn(await driver.startThread(), name);
    assert.equal(turn.status, "failed", name);
    assert.deepEqual(turn.error?.codexErrorInfo, expected, `${name}: ${JSON.stringify(turn.error)}`);
  }
});

test(
  "a gate holds the real Codex in the middle of a message, and an interrupt shows as an aborted request",
  options,
  async () => {
    await using mock = await mockResponses();
    await using codex = await realCodex(version, { model: mock });
    await using driver = await Driver.start(codex);
    const threadId = await driver.startThread();

    const hold = gate();
    mock.script(reply().text(["first, ", hold, "second"]));
    const firstDelta = driver.next((message) => message.method === "item/agentMessage/delta");
    const running = driver.runTurn(threadId, "slowly");
    assert.equal(paramsOf(await firstDelta).delta, "first, ");
    assert.equal(mock.requests.length, 1);
    hold.open();
    assert.deepEqual((await running).deltas, ["first, ", "second"]);
    assert.equal(await mock.last.ended, "sent");

    mock.script(
      reply()
        .text("begun, ")
        .gate(new Promise(() => {}))
        .text("never said"),
    );
    const begun = driver.next((message) => message.method === "item/agentMessage/delta");
    const interrupted = driver.runTurn(threadId, "for ever");
    const { turnId } = paramsOf(await begun);
    await driver.connection.request("turn/interrupt", { threadId, turnId });
    assert.equal((await interrupted).status, "interrupted");
    assert.equal(await mock.last.ended, "aborted");
  },
);

test("the real Codex is not disturbed by unknown events, comments, delays and items given whole", options, async () => {
  await using mock = await mockResponses();
  await using codex = await realCodex(version, { model: mock });
  await using driver = await Driver.start(codex);
  const content = [{ type: "output_text", text: "whole" }];
  mock.script(
    reply()
      .raw(": a comment\n\n")
      .event("response.something_new", { field: 1 })
      .delay(1)
      .item({ type: "message", id: "msg_whole", role: "assistant", content })
      .text("and streamed", { chunks: 2, delayMs: 1 }),
  );
  const turn = await driver.runTurn(await driver.startThread(), "hello");
  assert.equal(turn.status, "completed");
  const texts = turn.items.filter((item) => item.type === "agentMessage").map((item) => item.text);
  assert.deepEqual(texts, ["whole", "and streamed"]);
});

test("threads that run at the same time get the replies meant for them", options, async () => {
  await using mock = await mockResponses();
  await using codex = await realCodex(version, { model: mock });
  await using driver = await Driver.start(codex);
  for (const name of ["alpha", "beta"]) {
    mock
      .when(name)
      .reply(reply().functionCall("exec_command", { cmd: `echo ${name}` }, { callId: name }), (request) =>
        reply().text(`${name}: ${request.functionOutput(name)?.includes(name)}`),
      );
  }
  const names = ["alpha", "beta"];
  const threads = await Promise.all(names.map(() => driver.startThread()));
  const turns = await Promise.all(names.map((name, index) => driver.runTurn(threads[index] ?? "", `run ${name}`)));
  assert.deepEqual(
    turns.map((turn) => turn.deltas.join("")),
    ["alpha: true", "beta: true"],
  );
  assert.equal(mock.remaining, 0);
});
