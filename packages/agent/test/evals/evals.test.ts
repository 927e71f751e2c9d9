import assert from "node:assert/strict";
import { test } from "node:test";
import { BudgetTracker, CodexAgent, definePrompt, markdown, tool } from "@quire/agent";
import {
  type EvalCase,
  EvalReport,
  equalsExpected,
  evaluateAll,
  includesExpected,
  lastReport,
} from "@quire/agent/evals";
import { memoryStore } from "@quire/agent/stores";
import { gate, record, replay, type ScriptedServer, scriptedServer } from "@quire/testkit";
import { z } from "zod";
import { errorOf, promptWith, stage, toolCall } from "../support/stage.ts";

const ask = definePrompt({
  ns: "evals",
  key: "ask",
  sections: [markdown({ key: "a", title: "A", template: "$question", params: z.object({ question: z.string() }) })],
});
const prompt = (question: string) => ask.bind({ question });

const typed = definePrompt({
  ns: "evals",
  key: "typed",
  sections: [markdown({ key: "a", title: "A", template: "$question", params: z.object({ question: z.string() }) })],
  output: z.object({ team: z.string(), urgent: z.boolean().default(false) }),
});

/** Servers whose models answer in this order; without an answer, a turn does not start. Run cases one by one on them. */
const answering = (answers: readonly (string | undefined)[]) => (server: ScriptedServer, index: number) => {
  const text = answers[index];
  if (text === undefined) server.on("turn/start", new Error("no answer"));
  else server.turn({ text, usage: { input: 100, output: 10 } });
};

const capitals: EvalCase<string, string>[] = [
  { id: "france", input: "France?", expected: "Paris" },
  { id: "italy", input: "Italy?", expected: "Rome" },
  { id: "spain", input: "Spain?", expected: "Madrid" },
];

test("15.1: a dataset is run and scored, in its order, and one case that fails does not stop the others", async () => {
  const prices = { "gpt-5.1-codex": { input: 1, output: 10 } };
  const { agent, servers } = stage(answering(["Paris", undefined, "Barcelona"]), { prices });
  const seen: string[] = [];
  const { report, diff } = await evaluateAll(capitals, {
    agent,
    prompt,
    score: { exact: equalsExpected(), found: includesExpected() },
    concurrency: 1,
    onResult: ({ id }) => seen.push(id),
  });
  assert.equal(servers.length, 3);
  assert.equal(diff, undefined);
  assert.deepEqual(
    report.results.map(({ id, status }) => [id, status]),
    [
      ["france", "passed"],
      ["italy", "error"],
      ["spain", "failed"],
    ],
  );
  assert.deepEqual(seen, ["france", "italy", "spain"]);
  const [france, italy, spain] = report.results;
  assert.equal(france?.scores.exact?.score, 1);
  assert.equal(france?.cost, 0.0002);
  assert.equal(italy?.error?.phase, "request");
  assert.match(spain?.scores.exact?.reason ?? "", /Barcelona/);
  assert.deepEqual(report.summary.scores, { exact: 0.5, found: 0.5 });
  const { cases, passed, failed, errors, usage } = report.summary;
  assert.deepEqual([cases, passed, failed, errors, usage.totalTokens], [3, 1, 1, 1, 220]);
  assert.ok(!report.ok);
});

test("15.1: at most so many cases run at once as asked for, and all of them run", async () => {
  let running = 0;
  let most = 0;
  const held = gate();
  const { agent } = stage((server) => server.turn({ items: [{ type: "wait", until: held }], text: "x" }));
  const dataset = Array.from({ length: 7 }, (_, index) => ({ input: `q${index}` }));
  const run = evaluateAll(dataset, {
    agent,
    prompt: (input) => {
      most = Math.max(most, ++running);
      if (running === 3) setImmediate(() => held.open());
      return prompt(input);
    },
    score: () => {
      running--;
      return true;
    },
    concurrency: 3,
  });
  const { report } = await run;
  assert.equal(most, 3);
  assert.deepEqual(
    report.results.map(({ id }) => id),
    ["1", "2", "3", "4", "5", "6", "7"],
  );
});

test("15.2: a score is a number from 0 to 1 or a boolean, and passes at the mark that was set", async () => {
  const { agent } = stage();
  const scored = async (score: unknown, passAt?: number) => {
    const { report } = await evaluateAll([{ input: "x" }], { agent, prompt, score: () => score as number, passAt });
    const [result] = report.results;
    return result?.error?.message ?? result?.status;
  };
  assert.equal(await scored(0.5), "passed");
  assert.equal(await scored(0.4), "failed");
  assert.equal(await scored({ score: true, reason: "fine" }, 1), "passed");
  assert.equal(await scored(0.99, 1), "failed");
  for (const bad of [2, -1, Number.NaN, "1", undefined, null, {}])
    assert.match((await scored(bad)) ?? "", /number from 0 to 1 or a boolean/, String(bad));
  const { report } = await evaluateAll([{ input: "x" }], {
    agent,
    prompt,
    score: () => {
      throw new Error("my judge is ill");
    },
  });
  assert.equal(report.results[0]?.error?.message, "my judge is ill");
});

test("15.3: the last run in a store is what the next one is compared with", async () => {
  const store = memoryStore();
  const run = async (answers: string[], dataset = capitals) =>
    evaluateAll(dataset, {
      agent: stage(answering(answers)).agent,
      prompt,
      score: equalsExpected(),
      store,
      name: "capitals",
      concurrency: 1,
    });
  assert.equal((await run(["Paris", "Rome", "Lisbon"])).diff, undefined);
  const { diff } = await run(
    ["Lyon", "Rome", "Madrid", "?"],
    [...capitals, { id: "peru", input: "Peru?", expected: "Lima" }],
  );
  assert.deepEqual(
    diff?.changes.map(({ id, kind }) => [id, kind]),
    [
      ["france", "worse"],
      ["spain", "better"],
      ["peru", "added"],
    ],
  );
  assert.deepEqual(
    diff?.worse.map(({ id }) => id),
    ["france"],
  );
  assert.match(diff?.table() ?? "", /france +worse +passed → failed +score 1\.00 → 0\.00/);
  const last = await run(["Lyon", "Rome", "Madrid"]);
  assert.deepEqual(
    last.diff?.changes.map(({ id, kind }) => [id, kind]),
    [["peru", "removed"]],
  );
  assert.equal((await lastReport(store, "capitals"))?.results.length, 3);
  assert.equal(await lastReport(store, "other"), undefined);
});

test("15.3: a report in the store that cannot be read is told before anything is run", async () => {
  const store = memoryStore();
  await store.write("evals/evals", "{");
  const scene = stage();
  const error = await errorOf(evaluateAll([{ input: "x" }], { agent: scene.agent, prompt, score: () => 1, store }));
  assert.match((error as Error).message, /report is JSON/);
  assert.equal(scene.servers.length, 0);
});

test("15.4: a recorded run is replayed without a model: read as the prompt's output, and scored anew", async () => {
  const { agent } = stage(answering(['{"team":"web","urgent":true}', "not json"]));
  const dataset = [
    { id: "one", input: "One", expected: { team: "web" } },
    { id: "two", input: "Two", expected: { team: "core" } },
    { id: "three", input: "Three", expected: { team: "x" } },
  ];
  const make = (question: string) => typed.bind({ question });
  const { report } = await evaluateAll(dataset, {
    agent,
    prompt: make,
    score: ({ output }) => output.team === "none",
    concurrency: 1,
  });
  const recorded = EvalReport.parse(JSON.stringify(report));
  assert.equal(recorded.results[0]?.status, "failed");
  assert.equal(recorded.results[1]?.text, "not json");
  const replayed = await evaluateAll(
    [...dataset.slice(0, 2), { id: "three", input: "Three" }, { id: "one again", input: "One" }],
    {
      prompt: make,
      score: ({ output, expected }) => output.team === expected?.team && typeof output.urgent === "boolean",
      replay: recorded,
    },
  );
  const { results } = replayed.report;
  assert.deepEqual(
    results.map(({ id, status }) => [id, status]),
    [
      ["one", "passed"],
      ["two", "error"],
      ["three", "error"],
      ["one again", "error"],
    ],
  );
  assert.match(results[1]?.error?.message ?? "", /fit|JSON/);
  assert.match(results[3]?.error?.message ?? "", /no answer to this input/);
  assert.equal(results[0]?.usage?.totalTokens, 110);
  const changed = await evaluateAll([{ id: "one", input: "Other" }], {
    prompt: make,
    score: () => 1,
    replay: recorded,
  });
  assert.match(changed.report.results[0]?.error?.message ?? "", /no answer to this input/);
});

test("15.4: a whole conversation is replayed by the test kit, with the prompt's tools called again", async () => {
  const calls: string[] = [];
  const ping = tool({
    name: "ping",
    description: "Pings",
    run: () => {
      calls.push("ping");
      return "pong";
    },
  });
  const server = scriptedServer();
  server.turn({ items: [toolCall("ping")], text: "done" });
  const recording = record(server.transport);
  const first = await new CodexAgent({ client: { transport: () => recording } }).evaluate(promptWith(ping).bind());
  const again = new CodexAgent({ client: { transport: () => replay(recording.entries) } });
  const second = await again.evaluate(promptWith(ping).bind());
  assert.deepEqual([second.text, second.threadId], [first.text, first.threadId]);
  assert.deepEqual(calls, ["ping", "ping"]);
});

test("15.5: aborting ends every case before it rejects, and a shared budget stops the rest", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  const scene = stage((server) => server.turn({ items: [{ type: "wait", until: gate() }] }));
  const run = evaluateAll([{ input: "a" }, { input: "b" }, { input: "c" }], {
    agent: scene.agent,
    prompt,
    score: () => 1,
    concurrency: 2,
    signal: stop.signal,
  });
  run.catch(() => undefined);
  while (scene.servers.length < 2) await new Promise((resolve) => setImmediate(resolve));
  await Promise.all(scene.servers.map((server) => server.waitFor("turn/start")));
  stop.abort(reason);
  assert.equal(await errorOf(run), reason);
  assert.equal(scene.servers.length, 2);
  const budgetTracker = new BudgetTracker({ maxTurns: 1 });
  const limited = await evaluateAll(capitals, {
    agent: stage().agent,
    prompt,
    score: () => 1,
    concurrency: 1,
    evaluate: { budgetTracker },
  });
  assert.deepEqual(
    limited.report.results.map(({ error }) => error?.phase),
    [undefined, "budget", "budget"],
  );
});

test("15.6: a table is text in columns, and what a model wrote moves no cursor", async () => {
  const { agent } = stage((server) => server.turn({ text: "evil\u001b[2J\nline", usage: { input: 100, output: 10 } }));
  const { report } = await evaluateAll([{ id: "one\u202e\n", input: "x", expected: "y" }], {
    agent,
    prompt,
    score: ({ text }) => ({ score: 0.25, reason: text ?? "" }),
  });
  const [head = "", row = "", , sums = "", ...rest] = report.table().split("\n");
  assert.match(head, /^case +status +score +tokens +cost +time +note$/);
  assert.match(row, /^one +failed +0\.25 +110 +- +\d+\.\d s +evil \[2J line$/);
  assert.match(sums, /^evals: 1 cases: 0 passed, 1 failed, 0 errors · score 0\.25 · 110 tokens · \d+\.\d s$/);
  assert.deepEqual(rest, []);
});

test("15.6: a report survives JSON, and other text is refused", async () => {
  const { report } = await evaluateAll([{ input: "x", expected: "ok" }], {
    agent: stage().agent,
    prompt,
    score: { constructor: equalsExpected(), __proto__x: () => 1 },
  });
  const again = EvalReport.parse(JSON.stringify(report));
  assert.deepEqual(JSON.parse(JSON.stringify(again)), JSON.parse(JSON.stringify(report)));
  assert.equal(again.table(), report.table());
  assert.equal(again.summary.scores.constructor, 1);
  for (const text of [
    "",
    "[]",
    "{}",
    '{"version":2}',
    '{"version":1,"name":"a","createdAt":"b","durationMs":1,"results":[{}]}',
  ])
    assert.throws(() => EvalReport.parse(text), /report/);
});

test("15.2: mistakes in the options are told before anything is run", async () => {
  const { agent } = stage();
  const run = (options: object, dataset: EvalCase<string>[] = [{ input: "x" }]) =>
    evaluateAll(dataset, { agent, prompt, score: () => 1, ...options });
  await assert.rejects(run({ concurrency: 0 }), /concurrency must be/);
  await assert.rejects(run({ agent: undefined }), /needs an agent/);
  await assert.rejects(
    run({}, [
      { id: "1", input: "x" },
      { id: "1", input: "y" },
    ]),
    /Two cases are called "1"/,
  );
  assert.deepEqual((await run({}, [])).report.results, []);
});
