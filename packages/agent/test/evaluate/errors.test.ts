import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AgentError,
  BudgetExceededError,
  DeadlineExceededError,
  definePrompt,
  markdown,
  PromptEvaluationError,
  PromptRenderError,
  PromptValidationError,
  ResourceError,
  SkillError,
  SnapshotError,
  StructuredOutputError,
  WorkspaceError,
} from "@quire/agent";
import { RpcError } from "@quire/client";
import { z } from "zod";
import { errorOf, hello, stage } from "../support/stage.ts";

test("9.1: an error of an evaluation tells prompt, phase, payload and cause", async () => {
  const cause = new Error("below");
  const error = new PromptEvaluationError("above", { promptName: "a:b", phase: "tool", payload: { text: "t" }, cause });
  assert.ok(error instanceof AgentError && AgentError.is(error));
  assert.deepEqual(
    [error.message, error.promptName, error.phase, error.payload],
    ["above", "a:b", "tool", { text: "t" }],
  );
  assert.equal(error.cause, cause);
  assert.equal(new PromptEvaluationError("x", { promptName: "p", phase: "request" }).payload, null);
  assert.ok(!AgentError.is(cause) && !AgentError.is(null));
});

test("9.16: errors of different parts are told apart, and all are the package's", () => {
  const all = [
    DeadlineExceededError,
    BudgetExceededError,
    PromptRenderError,
    PromptValidationError,
    ResourceError,
    SkillError,
    SnapshotError,
    StructuredOutputError,
    WorkspaceError,
  ];
  for (const type of all) assert.ok(type.prototype instanceof AgentError, type.name);
  assert.equal(new Set(all).size, all.length);
});

test("9.2: what the server refuses before the turn is an error of the request", async () => {
  for (const method of ["initialize", "thread/start", "turn/start"]) {
    const { agent } = stage((server) => server.on(method, new RpcError({ code: -32600, message: `no ${method}` })));
    const error = await errorOf(agent.evaluate(hello.bind()));
    assert.ok(error instanceof PromptEvaluationError, method);
    assert.deepEqual([error.phase, error.message], ["request", `no ${method}`]);
    assert.ok(RpcError.is(error.cause) || error.cause instanceof Error);
  }
});

test("9.3, 9.5, 9.6, 11.20: a failed turn is told with its phase and all that the server said", async () => {
  for (const [codexErrorInfo, phase] of [
    ["usageLimitExceeded", "budget"],
    [{ responseStreamDisconnected: { httpStatusCode: 502 } }, "request"],
    ["sandboxError", "tool"],
    ["other", "response"],
  ] as const) {
    const { agent } = stage((server) =>
      server.turn({ items: [{ type: "message", text: "I tried" }], error: { message: "it failed", codexErrorInfo } }),
    );
    const error = await errorOf(agent.evaluate(hello.bind()));
    assert.ok(error instanceof PromptEvaluationError);
    assert.deepEqual([error.phase, error.message], [phase, "it failed"]);
    assert.deepEqual(error.payload?.codexErrorInfo, codexErrorInfo);
    assert.equal(error.payload?.text, "I tried");
    assert.ok(error.payload?.threadId && error.payload.turnId);
  }
});

test("9.7: failures that the server gets over by itself do not end the turn, and are remembered", async () => {
  const retry = {
    type: "notify",
    method: "error",
    params: { error: { message: "one moment" }, willRetry: true },
  } as const;
  const good = stage((server) => server.turn({ items: [retry], text: "done" }));
  assert.equal((await good.agent.evaluate(hello.bind())).text, "done");
  const bad = stage((server) => server.turn({ items: [retry], error: { message: "over" } }));
  const error = await errorOf(bad.agent.evaluate(hello.bind()));
  assert.deepEqual((error as PromptEvaluationError).payload?.transientErrors, ["one moment"]);
});

test("9.8: what is unexpected becomes an error of the request; errors of the package stay what they are", async () => {
  const broken = definePrompt({
    ns: "t",
    key: "b",
    sections: [markdown({ key: "a", title: "A", template: "Hi $name", params: z.object({ name: z.string() }) })],
  });
  assert.ok((await errorOf(stage().agent.evaluate(broken.prompt()))) instanceof PromptRenderError);
  const { agent } = stage(() => {
    throw new TypeError("no transport");
  });
  const error = await errorOf(agent.evaluate(hello.bind()));
  assert.ok(error instanceof PromptEvaluationError);
  assert.equal(error.phase, "request");
  assert.ok(error.cause instanceof TypeError);
});

test("9.15: nothing is tried twice here: the server retries by itself", async () => {
  const { agent, servers } = stage((server) =>
    server.turn({ error: { message: "busy", codexErrorInfo: "serverOverloaded" } }),
  );
  await assert.rejects(agent.evaluate(hello.bind()));
  assert.equal(servers.length, 1);
  assert.equal(servers[0]?.received.filter(({ method }) => method === "turn/start").length, 1);
});
