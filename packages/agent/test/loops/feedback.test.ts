import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createWorkspace,
  Deadline,
  deadlineFeedback,
  definePrompt,
  Session,
  staticFeedback,
  ToolResult,
  tool,
  WorkspaceSection,
} from "@quire/agent";
import type { FeedbackProvider, FeedbackTrigger } from "@quire/agent/prompts";
import type { TurnStep } from "@quire/testkit";
import { fakeClock } from "@quire/testkit";
import { stage, toolCall } from "../support/stage.ts";

const clock = fakeClock();
/** Lets time pass, makes a file, or fails, as it is told to. */
const work = tool({
  name: "work",
  description: "Works",
  run: async (_params, { filesystem, callId }) => {
    if (callId?.includes("wait")) clock.advance(60_000);
    if (callId?.includes("file")) await filesystem?.writeText("done.txt", "x");
    return callId?.includes("fail") ? ToolResult.error("no") : ToolResult.ok({ ok: true });
  },
});

/** Calls the tool so often and gives what feedback came with each answer. */
async function feedbackOf(
  feedback: readonly FeedbackProvider[],
  calls: readonly string[],
  session = new Session(),
  deadline?: Deadline,
) {
  await using workspace = await createWorkspace();
  const prompt = definePrompt({
    ns: "t",
    key: "f",
    sections: [new WorkspaceSection(workspace)],
    tools: [work],
    feedback,
  });
  const answers: string[] = [];
  const scene = stage(
    (server) => {
      const items: TurnStep[] = calls.map((call) => toolCall("work", {}, call));
      server.turn({ items, text: "done" });
      server.transport.send = ((send) => (text: string) => {
        const { result } = JSON.parse(text) as { result?: { contentItems?: { text?: string }[] } };
        if (result?.contentItems)
          answers.push(
            result.contentItems
              .slice(1)
              .map((item) => item.text ?? "")
              .join("|"),
          );
        send.call(server.transport, text);
      })(server.transport.send);
    },
    { clock },
  );
  await scene.agent.evaluate(prompt.bind(), { session, deadline });
  return answers;
}

const says = (name: string, ...triggers: FeedbackTrigger[]) => staticFeedback(name, `${name} speaks`, triggers);
const heard = (answers: readonly string[]) =>
  answers.map((answer) => [...answer.matchAll(/provider="(\w+)"/g)].map(([, name]) => name).join("+"));

test("12.5: every so many calls", async () => {
  assert.deepEqual(heard(await feedbackOf([says("a", { everyCalls: 2 })], ["1", "2", "3", "4", "5"])), [
    "",
    "a",
    "",
    "a",
    "",
  ]);
});

test("12.5: every so many seconds, beginning at the first chance", async () => {
  assert.deepEqual(heard(await feedbackOf([says("a", { everySeconds: 60 })], ["1", "2", "wait-3", "4"])), [
    "a",
    "",
    "a",
    "",
  ]);
});

test("12.5: once, when a file appears", async () => {
  assert.deepEqual(heard(await feedbackOf([says("a", { whenFileAppears: "done.txt" })], ["1", "file-2", "3"])), [
    "",
    "a",
    "",
  ]);
});

test("12.5: conditions are alternatives, all that are due speak, and each is counted for itself", async () => {
  const both = [says("a", { everyCalls: 3 }, { whenFileAppears: "done.txt" }), says("b", { everyCalls: 2 })];
  assert.deepEqual(heard(await feedbackOf(both, ["file-1", "2", "3", "4"])), ["a", "b", "", "a+b"]);
});

test("12.5: the next evaluation of the session goes on counting", async () => {
  const session = new Session();
  const due = () => feedbackOf([says("a", { everyCalls: 3 })], ["1", "2"], session);
  assert.deepEqual(heard(await due()), ["", ""]);
  assert.deepEqual(heard(await due()), ["a", ""]);
});

test("5.16, 12.5: a call that failed brings no feedback, and a provider that fails no harm", async () => {
  const broken: FeedbackProvider = {
    name: "broken",
    triggers: [{ everyCalls: 1 }],
    provide: () => Promise.reject(new Error("x")),
  };
  assert.deepEqual(heard(await feedbackOf([broken, says("a", { everyCalls: 1 })], ["fail-1", "2"])), ["", "a"]);
});

test("12.6: how much time is left, and advice when it is little", async () => {
  const deadline = Deadline.in(180_000, { clock });
  const provider = deadlineFeedback({ triggers: [{ everyCalls: 1 }] });
  const [much, little] = await feedbackOf([provider], ["1", "wait-2", "wait-3"].slice(0, 2), new Session(), deadline);
  assert.match(much ?? "", /180 seconds are left/);
  assert.match(much ?? "", /severity="info"/);
  assert.match(little ?? "", /120 seconds are left/);
  const [last] = await feedbackOf([provider], ["wait-1"], new Session(), Deadline.in(120_000, { clock }));
  assert.match(last ?? "", /severity="warning"[\s\S]*Only 60 seconds[\s\S]*- /);
  assert.deepEqual(await feedbackOf([provider], ["1"]), [""], "nothing without a deadline");
});
