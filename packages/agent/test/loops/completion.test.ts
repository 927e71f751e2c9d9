import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allComplete,
  anyComplete,
  BudgetTracker,
  createWorkspace,
  definePrompt,
  markdown,
  requiredFiles,
  Session,
  ToolResult,
  tool,
  VisibilityExpansionRequired,
} from "@quire/agent";
import type { Completion, CompletionChecker } from "@quire/agent/prompts";
import { errorOf, stage, toolCall } from "../support/stage.ts";

const sections = [markdown({ key: "task", title: "Task", template: "Work." })];
const context = { session: new Session(), text: null, output: undefined, filesystem: undefined };
const says = (verdict: Completion, asked: string[] = [], name = "x"): CompletionChecker => ({
  check: () => {
    asked.push(name);
    return verdict;
  },
});
const yes: Completion = { complete: true };
const no = (feedback?: string): Completion => ({ complete: false, feedback });

async function evaluated(completion: CompletionChecker, options: object = {}) {
  const scene = stage((server) => server.turn(...Array.from({ length: 20 }, (_, n) => ({ text: `answer ${n}` }))));
  const prompt = definePrompt({ ns: "t", key: "c", sections, completion });
  const result = await scene.agent.evaluate(prompt.bind(), options);
  const inputs = scene.server.received
    .filter(({ method }) => method === "turn/start")
    .map(({ params }) => (params as { input: { text: string }[] }).input[0]?.text);
  return { ...result, inputs, server: scene.server };
}

test("6.14: the model is told what is missing, on the same thread, and its last text counts", async () => {
  let left = 2;
  const { text, inputs, turnIds, server } = await evaluated({
    check: () => (left-- > 0 ? no(`${left + 1} to go`) : yes),
  });
  assert.equal(text, "answer 2");
  assert.deepEqual(inputs.slice(1), ["2 to go", "1 to go"]);
  assert.equal(turnIds.length, 3);
  assert.equal(server.received.filter(({ method }) => method === "thread/start").length, 1);
});

test("6.14: it is sent back ten times at most", async () => {
  const { turnIds } = await evaluated({ check: () => no("again") });
  assert.equal(turnIds.length, 11);
});

test("6.15: done, or nothing to say: it ends", async () => {
  for (const verdict of [yes, no(), no("")]) assert.equal((await evaluated(says(verdict))).turnIds.length, 1);
});

test("6.15: a budget that is spent ends it without asking", async () => {
  const asked: string[] = [];
  const budgetTracker = new BudgetTracker({ maxTotalTokens: 50 });
  await assert.rejects(evaluated(says(no("again"), asked), { budgetTracker }), /budget is exceeded/);
  assert.deepEqual(asked, []);
});

test("5.14, 5.15, 6.15: a request for more of the prompt ends it without asking, and comes through as it is", async () => {
  const asked: string[] = [];
  const more = markdown({
    key: "more",
    title: "More",
    template: "x",
    summary: "s",
    visibility: "summary",
    tools: [tool({ name: "t", description: "T", run: () => ToolResult.ok() })],
  });
  const prompt = definePrompt({ ns: "t", key: "x", sections: [more], completion: says(no("again"), asked) });
  const scene = stage((server) =>
    server.turn({
      items: [toolCall("open_sections", { section_keys: ["more"], reason: "why not" })],
      text: "ended by itself",
    }),
  );
  const error = await errorOf(scene.agent.evaluate(prompt.bind()));
  assert.ok(error instanceof VisibilityExpansionRequired);
  assert.deepEqual([error.sectionKeys, error.reason], [["more"], "why not"]);
  assert.deepEqual(asked, []);
});

test("12.7: files that must be there, of which three are named", async () => {
  await using workspace = await createWorkspace();
  const { filesystem } = workspace;
  const checker = requiredFiles(["a", "b", "c", "d", "e"]);
  assert.deepEqual(
    await checker.check({ ...context, filesystem }),
    no("These files are still missing: a, b, c and 2 more. Make them."),
  );
  for (const name of ["a", "b", "c", "d", "e"]) await filesystem.writeText(name, "x");
  assert.deepEqual(await checker.check({ ...context, filesystem }), yes);
  assert.equal((await checker.check(context)).complete, false, "without a workspace it is not done");
  assert.equal((await requiredFiles(["../../etc/passwd"]).check({ ...context, filesystem })).complete, false);
});

test("12.7: all or any of several, asked no longer than needed", async () => {
  const asked: string[] = [];
  const all = allComplete(says(yes, asked, "1"), says(no("two"), asked, "2"), says(yes, asked, "3"));
  assert.deepEqual([await all.check(context), asked.splice(0)], [no("two"), ["1", "2"]]);
  const any = anyComplete(says(no("one"), asked, "1"), says(yes, asked, "2"), says(no(), asked, "3"));
  assert.deepEqual([await any.check(context), asked.splice(0)], [yes, ["1", "2"]]);
  assert.deepEqual(await anyComplete(says(no("one")), says(no("two"))).check(context), no("one\ntwo"));
  assert.deepEqual(await allComplete().check(context), yes);
});

test("12.7: a checker of one's own sees session, text and output", async () => {
  const seen: unknown[] = [];
  const session = new Session();
  await evaluated(
    {
      check: (given) => {
        seen.push([given.session === session, given.text, given.output]);
        return yes;
      },
    },
    { session },
  );
  assert.deepEqual(seen, [[true, "answer 0", undefined]]);
});
