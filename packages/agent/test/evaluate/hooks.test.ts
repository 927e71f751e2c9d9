import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AgentConfigError,
  type AgentHooks,
  BudgetExceededError,
  BudgetTracker,
  definePrompt,
  markdown,
  PromptEvaluationError,
  Session,
  ToolInvoked,
} from "@quire/agent";
import { GuardrailError } from "@quire/client/guards";
import { gate, type TurnStep } from "@quire/testkit";
import { errorOf, hello, paramsOf, stage } from "../support/stage.ts";

const prices = { "gpt-5.1-codex": { input: 1, output: 10 } };

const command = (id: string, line: string): TurnStep => ({
  type: "item",
  item: { type: "commandExecution", id, command: line, cwd: "/", status: "completed", exitCode: 0, commandActions: [] },
});

const twoTurns = definePrompt({
  ns: "t",
  key: "two",
  sections: [markdown({ key: "a", title: "A", template: "Go" })],
  completion: {
    check: ({ text }) => (text === "two" ? { complete: true } : { complete: false, feedback: "Not yet" }),
  },
});

test("9.17: beforeTurn sees each turn's input with the session, and may send another", async () => {
  const seen: [number, string, string][] = [];
  const session = new Session();
  const hooks: AgentHooks = {
    beforeTurn: (input, { turn, promptName, session: own }) => {
      assert.equal(own, session);
      seen.push([turn, promptName, String(input)]);
      return turn === 2 ? "Try harder" : undefined;
    },
  };
  const { agent, server } = await (async () => {
    const scene = stage((server) => server.turn({ text: "one" }, { text: "two" }), { hooks });
    await scene.agent.evaluate(twoTurns.bind(), { session });
    return scene;
  })();
  assert.ok(agent);
  assert.deepEqual(
    seen.map(([turn, name]) => [turn, name]),
    [
      [1, "t:two"],
      [2, "t:two"],
    ],
  );
  assert.equal(seen[1]?.[2], "Not yet");
  const { input } = (await paramsOf(server, "turn/start", 1)) as { input: { text: string }[] };
  assert.equal(input[0]?.text, "Try harder");
});

test("9.17: a guardrail that refuses the input ends the evaluation before its turn, in phase request", async () => {
  const hooks: AgentHooks = {
    guardrails: [{ name: "no-hello", input: (text) => (/hello/.test(String(text)) ? "rude" : undefined) }],
  };
  const scene = stage(() => {}, { hooks });
  const error = await errorOf(scene.agent.evaluate(hello.bind()));
  assert.ok(error instanceof PromptEvaluationError);
  assert.equal(error.phase, "request");
  assert.match(error.message, /no-hello.*rude/);
  assert.ok(error.cause instanceof GuardrailError);
  assert.ok(!scene.server.received.some(({ method }) => method === "turn/start"));
});

test("9.17: a guardrail that refuses an item interrupts the turn, in phase response", async () => {
  const hooks: AgentHooks = {
    guardrails: [{ name: "no-rm", item: (item) => (item.type === "commandExecution" ? item.command : undefined) }],
  };
  const scene = stage((server) => server.turn({ items: [command("c", "rm -rf /"), { type: "wait", until: gate() }] }), {
    hooks,
  });
  const error = await errorOf(scene.agent.evaluate(hello.bind()));
  assert.ok(error instanceof PromptEvaluationError && error.cause instanceof GuardrailError);
  assert.equal(error.phase, "response");
  await scene.server.waitFor("turn/interrupt");
});

test("9.17: afterItem sees every item in order, and what it throws ends the evaluation also after the last item", async () => {
  const types: string[] = [];
  const hooks: AgentHooks = {
    afterItem: async (item) => {
      types.push(item.type);
      if (item.type === "agentMessage" && item.text === "bad") throw new Error("I do not like it");
    },
  };
  const { agent } = stage(
    (server, index) => server.turn({ items: [command("c", "ls")], text: index === 0 ? "good" : "bad" }),
    { hooks },
  );
  await agent.evaluate(hello.bind());
  assert.deepEqual(
    types.splice(0).filter((type) => type !== "userMessage"),
    ["commandExecution", "agentMessage"],
  );
  const session = new Session();
  const error = await errorOf(agent.evaluate(hello.bind(), { session }));
  assert.ok(error instanceof PromptEvaluationError);
  assert.match(error.message, /I do not like it/);
});

test("9.17: a hook that never returns does not hold up an abort", async () => {
  const reached = gate();
  const hooks: AgentHooks = {
    afterItem: () => {
      reached.open();
      return new Promise(() => {});
    },
  };
  const { agent } = stage(undefined, { hooks });
  const stop = new AbortController();
  const reason = new Error("enough");
  const evaluation = agent.evaluate(hello.bind(), { signal: stop.signal });
  evaluation.catch(() => undefined);
  await reached;
  stop.abort(reason);
  assert.equal(await errorOf(evaluation), reason);
});

test("9.17: beforeApproval goes before autoApprove, and leaves the rest to it", async () => {
  const ask = (script: string): TurnStep => ({ type: "command", command: script, approval: true });
  const asked: (string | undefined)[] = [];
  const hooks: AgentHooks = {
    beforeApproval: (request) => {
      if (request.kind !== "command") return undefined;
      asked.push(request.script);
      return request.script?.startsWith("rm") ? "decline" : undefined;
    },
  };
  const scene = stage((server) => server.turn({ items: [ask("rm x"), ask("ls")], text: "done" }), {
    hooks,
    client: { autoApprove: ["commands"] },
  });
  const session = new Session();
  await scene.agent.evaluate(hello.bind(), { session });
  assert.deepEqual(asked, ["rm x", "ls"]);
  const calls = session.slice(ToolInvoked).all();
  assert.deepEqual(
    calls.map(({ result }) => result.success),
    [false, true],
  );
});

test("10.10: an evaluation tells what it cost, where the prices of its model are known", async () => {
  const { agent } = stage((server) => server.turn({ text: "x", usage: { input: 1000, output: 100 } }), { prices });
  assert.equal((await agent.evaluate(hello.bind())).cost, 0.002);
  assert.equal((await agent.evaluate(hello.bind(), { model: { model: "other" } })).cost, null);
});

test("10.11: a budget of turns starts no further one, also after a completion checker's feedback", async () => {
  const scene = stage((server) => server.turn({ text: "one" }, { text: "not yet" }, { text: "two" }));
  const error = await errorOf(scene.agent.evaluate(twoTurns.bind(), { budget: { maxTurns: 2 } }));
  assert.ok(error instanceof PromptEvaluationError && error.phase === "budget");
  assert.ok(error.cause instanceof BudgetExceededError && error.cause.exceededDimension === "turns");
  assert.equal(scene.server.received.filter(({ method }) => method === "turn/start").length, 2);
});

test("10.11: a budget in money ends the turn that passes it, is shared, and needs a price", async () => {
  const tokens = {
    totalTokens: 1100,
    inputTokens: 1000,
    outputTokens: 100,
    cachedInputTokens: 0,
    reasoningOutputTokens: 0,
  };
  const scene = stage(
    (server) =>
      server.turn({
        items: [
          { type: "message", text: "so far" },
          {
            type: "notify",
            method: "thread/tokenUsage/updated",
            params: { tokenUsage: { last: tokens, total: tokens } },
          },
          { type: "wait", until: gate() },
        ],
      }),
    { prices },
  );
  const budgetTracker = new BudgetTracker({ maxCost: 0.001 });
  const error = await errorOf(scene.agent.evaluate(hello.bind(), { budgetTracker }));
  assert.ok(error instanceof PromptEvaluationError && error.cause instanceof BudgetExceededError);
  assert.equal(error.cause.exceededDimension, "cost");
  assert.equal(budgetTracker.consumed.cost, 0.002);
  assert.match(error.message, /\$0\.0020 of \$0\.001/);
  assert.equal(
    ((await errorOf(scene.agent.evaluate(hello.bind(), { budgetTracker }))) as PromptEvaluationError).phase,
    "budget",
  );
  const unpriced = await errorOf(stage().agent.evaluate(hello.bind(), { budget: { maxCost: 1 } }));
  assert.ok(unpriced instanceof AgentConfigError);
  assert.match(unpriced.message, /price of gpt-5\.1-codex/);
});
