import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexClient } from "@quire/client";
import { beforeApproval, costOf, GuardrailError, guardThread, LimitError, TurnBudget } from "@quire/client/guards";
import { eventually, gate, type ScriptedServer, scriptedServer, type TurnStep } from "@quire/testkit";

const prices = { "gpt-5.5": { input: 1, cachedInput: 0.1, output: 10 } };

async function threadOn(server: ScriptedServer) {
  const client = await CodexClient.connect(server.transport);
  return { client, thread: await client.thread(), [Symbol.asyncDispose]: () => client.close() };
}

const sentTexts = (server: ScriptedServer) =>
  server.received
    .filter(({ method }) => method === "turn/start")
    .map(({ params }) => (params as { input: { text: string }[] }).input[0]?.text);

const command = (id: string, line: string) => ({
  type: "item" as const,
  item: { type: "commandExecution", id, command: line, cwd: "/", status: "completed", exitCode: 0, commandActions: [] },
});

test("beforeTurn sees the input and may send another; afterItem sees each item that completed, in order", async () => {
  await using server = scriptedServer();
  server.turn({ items: [command("c1", "ls")], text: "done" }, { text: "again" });
  await using scene = await threadOn(server);
  const seen: string[] = [];
  const turns: number[] = [];
  const guarded = guardThread(scene.thread, {
    beforeTurn: (input, { turn }) => {
      turns.push(turn);
      return turn === 1 ? `Be brief. ${String(input)}` : undefined;
    },
    afterItem: async ({ type }) => void seen.push(type),
  });
  assert.equal((await guarded.run("Go")).agentMessage, "done");
  assert.deepEqual(
    seen.filter((type) => type !== "userMessage"),
    ["commandExecution", "agentMessage"],
  );
  await guarded.run("more");
  assert.deepEqual(sentTexts(server), ["Be brief. Go", "more"]);
  assert.deepEqual(turns, [1, 2]);
});

test("a guardrail that refuses the input keeps the turn from starting", async () => {
  await using server = scriptedServer();
  await using scene = await threadOn(server);
  const noSecrets = {
    name: "no-secrets",
    input: (input: unknown) => (/sk-/.test(String(input)) ? "it has a key" : undefined),
  };
  const turn = guardThread(scene.thread, { guardrails: [noSecrets] }).run("use sk-123");
  await assert.rejects(
    Promise.resolve(turn),
    (error) =>
      error instanceof GuardrailError &&
      error.guardrail === "no-secrets" &&
      error.reason === "it has a key" &&
      error.stage === "input",
  );
  await assert.rejects(async () => {
    for await (const _ of turn);
  }, GuardrailError);
  assert.deepEqual(sentTexts(server), []);
});

test("a guardrail that refuses an item interrupts the turn, and awaiting and iterating both say why", async () => {
  await using server = scriptedServer();
  server.turn({ items: [command("c1", "rm -rf /"), { type: "wait", until: gate() }], text: "never" });
  await using scene = await threadOn(server);
  const guarded = guardThread(scene.thread, {
    guardrails: [
      {
        name: "no-rm",
        item: (item) => (item.type === "commandExecution" && item.command.startsWith("rm") ? item.command : undefined),
      },
    ],
  });
  const turn = guarded.run("clean up");
  await assert.rejects(async () => {
    for await (const _ of turn);
  }, /no-rm/);
  await assert.rejects(Promise.resolve(turn), (error) => error instanceof GuardrailError && error.stage === "item");
  await server.waitFor("turn/interrupt");
});

test("a guardrail that refuses the last item rejects a turn that has already ended", async () => {
  await using server = scriptedServer();
  server.turn({ text: "the secret is 42" });
  await using scene = await threadOn(server);
  const slow = gate();
  const turn = guardThread(scene.thread, {
    guardrails: [
      {
        name: "no-42",
        item: async (item) => {
          if (item.type !== "agentMessage") return undefined;
          await slow;
          return /42/.test(item.text) ? "it says 42" : undefined;
        },
      },
    ],
  }).run("go");
  setImmediate(() => slow.open());
  await assert.rejects(Promise.resolve(turn), /it says 42/);
});

test("a hook that throws stops the turn with its own error", async () => {
  await using server = scriptedServer();
  server.turn({ items: [command("c1", "ls"), { type: "wait", until: gate() }] });
  await using scene = await threadOn(server);
  const error = new Error("mine");
  const guarded = guardThread(scene.thread, {
    afterItem: ({ type }) => {
      if (type === "commandExecution") throw error;
    },
  });
  await assert.rejects(Promise.resolve(guarded.run("go")), error);
});

test("a result has the turn's own tokens and its cost in money, also on a thread that was used before", async () => {
  await using server = scriptedServer();
  server.turn({ text: "one", usage: { input: 1000, output: 100 } }, { text: "two", usage: { input: 500, output: 10 } });
  await using scene = await threadOn(server);
  const guarded = guardThread(scene.thread, { model: "gpt-5.5", prices });
  const first = await guarded.run("a");
  assert.equal(first.turnUsage?.totalTokens, 1100);
  assert.equal(first.cost, (1000 * 1 + 100 * 10) / 1_000_000);
  assert.equal((await guarded.run("b")).turnUsage?.totalTokens, 510);
  assert.equal((await guarded.run("c", { model: "unknown" })).cost, undefined);
});

test("cached input costs less, and reasoning is part of the output", () => {
  const usage = {
    inputTokens: 1000,
    cachedInputTokens: 900,
    outputTokens: 10,
    reasoningOutputTokens: 5,
    totalTokens: 1010,
  };
  assert.equal(costOf(usage, prices["gpt-5.5"]), (100 * 1 + 900 * 0.1 + 10 * 10) / 1_000_000);
  assert.equal(costOf(usage, { input: 2, output: 0 }), 0.002);
});

test("a budget of tokens or money interrupts the turn that exceeds it, and starts no other", async () => {
  for (const limits of [{ maxTotalTokens: 1000 }, { maxCost: 0.001 }]) {
    await using server = scriptedServer();
    const usage = {
      total: {
        totalTokens: 2000,
        inputTokens: 1000,
        outputTokens: 1000,
        cachedInputTokens: 0,
        reasoningOutputTokens: 0,
      },
    };
    const tokenUsage = { ...usage, last: usage.total, modelContextWindow: null };
    server.turn({
      items: [
        { type: "message", text: "so far" },
        { type: "notify", method: "thread/tokenUsage/updated", params: { tokenUsage } },
        { type: "wait", until: gate() },
      ],
    });
    await using scene = await threadOn(server);
    const budget = new TurnBudget(limits);
    const guarded = guardThread(scene.thread, { budget, model: "gpt-5.5", prices });
    await assert.rejects(
      Promise.resolve(guarded.run("go")),
      (error) =>
        error instanceof LimitError && error.limit === Object.keys(limits)[0] && error.spent.usage.totalTokens === 2000,
    );
    await server.waitFor("turn/interrupt");
    await assert.rejects(Promise.resolve(guarded.run("more")), LimitError);
    assert.deepEqual(sentTexts(server), ["go"]);
  }
});

test("a turn whose last response passes the budget rejects, though it has ended", async () => {
  await using server = scriptedServer();
  server.turn({ text: "done", usage: { input: 1000, output: 1000 } });
  await using scene = await threadOn(server);
  const guarded = guardThread(scene.thread, { budget: new TurnBudget({ maxTotalTokens: 1000 }) });
  await assert.rejects(Promise.resolve(guarded.run("go")), LimitError);
});

test("a budget of turns is shared by threads, and one of time interrupts a turn", async () => {
  await using server = scriptedServer();
  await using scene = await threadOn(server);
  const budget = new TurnBudget({ maxTurns: 1 });
  await guardThread(scene.thread, { budget }).run("one");
  const other = guardThread(await scene.client.thread(), { budget });
  await assert.rejects(Promise.resolve(other.run("two")), /1 turns of maxTurns 1/);
  assert.equal(budget.spent.turns, 1);
  server.turn({ items: [{ type: "wait", until: gate() }] });
  const timed = guardThread(scene.thread, { budget: new TurnBudget({ maxMs: 30 }) });
  await assert.rejects(
    Promise.resolve(timed.run("slow")),
    (error) => error instanceof LimitError && error.limit === "maxMs",
  );
});

test("a budget in money without a price, and limits that are none, are refused with the remedy", async () => {
  await using server = scriptedServer();
  await using scene = await threadOn(server);
  const guarded = guardThread(scene.thread, { budget: new TurnBudget({ maxCost: 1 }), model: "other", prices });
  await assert.rejects(Promise.resolve(guarded.run("go")), /maxCost needs the price of the model/);
  assert.deepEqual(sentTexts(server), []);
  assert.throws(() => new TurnBudget({}), /needs a limit/);
  assert.throws(() => new TurnBudget({ maxTurns: -1 }), /positive/);
  assert.throws(() => new TurnBudget({ maxTokens: 5 } as object), /no limit "maxTokens"/);
  await assert.rejects(
    Promise.resolve(
      guardThread(scene.thread, { model: "x", prices: { x: { input: Number.NaN, output: 1 } } }).run("go"),
    ),
    /dollars per million/,
  );
});

test("the caller's signal and interrupt() still work on a guarded turn", async () => {
  await using server = scriptedServer();
  server.turn({ items: [{ type: "wait", until: gate() }] }, { items: [{ type: "wait", until: gate() }] });
  await using scene = await threadOn(server);
  const guarded = guardThread(scene.thread, {});
  const stop = new AbortController();
  const reason = new Error("enough");
  const first = guarded.run("go", { signal: stop.signal });
  await first.id;
  stop.abort(reason);
  await assert.rejects(Promise.resolve(first), reason);
  const second = guarded.run("go");
  await second.interrupt();
  assert.equal((await second).status, "interrupted");
});

test("a hook that never returns does not hold up an abort, also after the turn has ended", async () => {
  await using server = scriptedServer();
  await using scene = await threadOn(server);
  const reached = gate();
  const guarded = guardThread(scene.thread, {
    afterItem: ({ type }) => {
      if (type === "agentMessage") reached.open();
      return type === "agentMessage" ? new Promise(() => {}) : undefined;
    },
  });
  const stop = new AbortController();
  const reason = new Error("enough");
  const turn = guarded.run("go", { signal: stop.signal });
  await reached;
  await eventually(() => scene.thread.status?.type === "idle");
  stop.abort(reason);
  await assert.rejects(Promise.resolve(turn), reason);
});

test("beforeApproval answers before the handler does, and passes on what it does not decide", async () => {
  await using server = scriptedServer();
  const asked: string[] = [];
  const onApproval = beforeApproval(
    (request) => (request.kind === "command" && request.script?.startsWith("rm") ? "decline" : undefined),
    {
      command: (request) => {
        asked.push(request.script ?? "");
        return "accept";
      },
    },
  );
  const ask = (script: string): TurnStep => ({ type: "command", command: script, approval: true });
  server.turn({ items: [ask("rm -rf x"), ask("ls")], text: "done" });
  await using client = await CodexClient.connect(server.transport, { onApproval });
  const { items } = await (await client.thread()).run("go");
  assert.deepEqual(asked, ["ls"]);
  const statuses = items.map((item) => (item.type === "commandExecution" ? item.status : ""));
  assert.deepEqual(statuses.filter(Boolean), ["declined", "completed"]);
});
