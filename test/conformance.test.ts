import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { methods } from "@quire/protocol/methods";
import { skipWithoutCodex } from "@quire/testkit";
import { commonDifferences } from "../conformance/lib/common-differences.ts";
import { compare } from "../conformance/lib/compare.ts";
import { realVersion } from "../conformance/lib/contestants.ts";
import { judge } from "../conformance/lib/judge.ts";
import { runAll, vanishedEverywhere } from "../conformance/lib/run-all.ts";
import type { Transcript } from "../conformance/lib/transcript.ts";
import { scenarios } from "../conformance/scenarios/index.ts";
import { root } from "../scripts/lib/workspace.ts";

const skip = await skipWithoutCodex(realVersion);

describe(`our app-server behaves as Codex ${realVersion}`, { skip }, () => {
  const running = skip ? [] : runAll(scenarios);
  for (const [index, { name }] of scenarios.entries()) {
    // Several attempts, in each of which something may be waited for in vain.
    test(name, { timeout: 300_000 }, async () => {
      const outcome = await running[index];
      assert.deepEqual(outcome?.complaints, []);
    });
  }

  test("each difference that is declared for all scenarios shows in one of them", async () => {
    assert.deepEqual(vanishedEverywhere(await Promise.all(running)), []);
  });
});

test("docs/conformance.md lists every scenario, and every difference with its reason", () => {
  // Not letter by letter: in which scenarios a difference shows is a matter of chance for some.
  const written = readFileSync(join(root, "docs", "conformance.md"), "utf8");
  const reasons = [...commonDifferences, ...scenarios.flatMap(({ differences }) => differences ?? [])].map(
    ({ reason }) => reason,
  );
  const missing = [...scenarios.map(({ name }) => name), ...reasons].filter((each) => !written.includes(each));
  assert.deepEqual(missing, [], "run bun conformance/run.ts --record");
});

test("docs/conformance.md says of every method whether it is as in Codex, and why not", () => {
  const written = readFileSync(join(root, "docs", "conformance.md"), "utf8");
  const rows = new Map([...written.matchAll(/^\| `([^`]+)` \| (\w+) \| (.*?) \|/gm)].map((row) => [row[1], row]));
  const silent = Object.keys(methods).filter((name) => {
    const [, , verdict = "", why = ""] = rows.get(name) ?? [];
    return !["same", "better", "differs", "absent"].includes(verdict) || (verdict !== "same" && why === "");
  });
  assert.deepEqual(silent, [], "say it in conformance/lib/method-notes.ts, or show it in a scenario");
});

describe("the comparison", () => {
  const event = (method: string, params: object = {}) => ({ method, message: { method, params } });
  const run = (change: Partial<Transcript> = {}): Transcript => ({
    replies: [{ peer: "a", method: "thread/read", reply: { result: { name: null } } }],
    events: new Map([["a", [event("turn/started"), event("turn/completed"), event("thread/closed")]]]),
    model: [{ input: ['user "hi"'], tools: { look: { type: "function" } }, flags: { store: false } }],
    observations: [["the weather", 1]],
    ...change,
  });
  const places = (ours: Transcript) => compare(run(), ours, {}).map(({ where }) => where);

  test("finds nothing between two runs that are the same", () => {
    assert.deepEqual(places(run()), []);
  });

  test("finds a reply, an event, an order and a model request that differ", () => {
    const reply = { peer: "a", method: "thread/read", reply: { result: {} } };
    assert.deepEqual(places(run({ replies: [reply] })), ["reply thread/read result.name"]);
    const lacking = new Map([["a", [event("turn/started"), event("turn/completed")]]]);
    assert.deepEqual(places(run({ events: lacking })), ["event lacks: thread/closed"]);
    const moved = new Map([["a", [event("turn/completed"), event("turn/started"), event("thread/closed")]]]);
    assert.deepEqual(places(run({ events: moved })), ["order of turn/started"]);
    const changed = new Map([
      ["a", [event("turn/started", { a: 1 }), event("turn/completed"), event("thread/closed")]],
    ]);
    assert.deepEqual(places(run({ events: changed })), ["event turn/started params.a"]);
    const model = [{ input: ['user "ho"'], tools: {}, flags: { store: true } }];
    assert.deepEqual(places(run({ model })).sort(), [
      'model input adds: user "ho"',
      'model input lacks: user "hi"',
      "model store",
      "model tool look",
    ]);
    assert.deepEqual(places(run({ model: [] })), ["model requests"]);
    assert.deepEqual(places(run({ observations: [["the weather", 2]] })), ["seen: the weather"]);
  });

  test("puts requests of threads that work at once beside each other, in whichever order they come", () => {
    const asks = (thread: string, line: string) => ({ input: [line, thread], tools: {}, flags: {}, thread });
    const real = run({ model: [asks("parent", "context"), asks("child", "context")] });
    const found = (...model: Transcript["model"]) => compare(real, run({ model }), {}).map(({ where }) => where);
    assert.deepEqual(found(asks("child", "context"), asks("parent", "context")), []);
    assert.deepEqual(found(asks("child", "other"), asks("parent", "context")), [
      "model input lacks: context",
      "model input adds: other",
    ]);
  });

  test("takes a declared difference, and reports one that nobody declared or that is gone", () => {
    const found = [{ where: "reply thread/read result.name", real: "null", ours: "(absent)" }];
    const declared = { at: "reply thread/read", reason: "Because." };
    assert.deepEqual(judge(found, [declared], []).undeclared, []);
    assert.deepEqual(judge(found, [], [declared]).expected, [{ declared, found }]);
    assert.deepEqual(judge(found, [], []).undeclared, found);
    assert.deepEqual(judge([], [declared], []).vanished, [declared]);
  });
});
