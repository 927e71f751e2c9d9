import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BudgetTracker,
  type DebugBundle,
  definePrompt,
  evaluateSideBySide,
  evaluateWithExpansion,
  markdown,
  PromptEvaluationError,
  PromptRendered,
  runAgentLoop,
  Session,
  ToolInvoked,
  ToolResult,
  type TranscriptEntry,
  tool,
  VisibilityExpansionRequired,
} from "@quire/agent";
import { VisibilityOverrides } from "@quire/agent/sessions";
import { fakeClock } from "@quire/testkit";
import { z } from "zod";
import { errorOf, hello, paramsOf, promptWith, stage, toolCall } from "../support/stage.ts";

const noop = tool({ name: "t", description: "T", run: () => ToolResult.ok() });
const part = (key: string) =>
  markdown({
    key,
    title: key,
    template: `All of ${key}.`,
    summary: "s",
    visibility: "summary",
    tools: key === "a" ? [noop] : [{ ...noop, name: `t-${key}` }],
  });
const open = (key: string) => toolCall("open_sections", { section_keys: [key], reason: "r" }, `open-${key}`);

test("1.29: sections are opened as the model asks for them, with the same session and count", async () => {
  const session = new Session();
  const budgetTracker = new BudgetTracker({ maxTotalTokens: 10_000 });
  const scene = stage((server, index) =>
    server.turn(
      index < 2 ? { items: [{ type: "message", text: "hm" }, open(index === 0 ? "a" : "b")] } : { text: "Done." },
    ),
  );
  const prompt = definePrompt({ ns: "t", key: "e", sections: [part("a"), part("b")] });
  const { text } = await evaluateWithExpansion(scene.agent, prompt.bind(), { session, budgetTracker });
  assert.equal(text, "Done.");
  assert.deepEqual(session.slice(VisibilityOverrides).latest()?.overrides, { a: "full", b: "full" });
  assert.match(session.slice(PromptRendered).latest()?.renderedPrompt ?? "", /All of a\.[\s\S]*All of b\./);
  assert.equal(budgetTracker.consumed.totalTokens, 330, "10.8: also those that ended early are counted");
});

test("1.29: after ten times it is an error of the request", async () => {
  const sections = Array.from({ length: 12 }, (_, n) => part(`s${n}`));
  const scene = stage((server, index) => server.turn({ items: [open(`s${index}`)] }));
  const error = await errorOf(evaluateWithExpansion(scene.agent, definePrompt({ ns: "t", key: "e", sections }).bind()));
  assert.ok(error instanceof PromptEvaluationError);
  assert.equal(error.phase, "request");
  assert.ok(error.cause instanceof VisibilityExpansionRequired);
  assert.equal(scene.servers.length, 11);
});

test("12.13: side by side, one failure does not end the other, and each may have a prompt of its own", async () => {
  const scene = stage((server, index) => server.turn(index === 0 ? { error: { message: "no" } } : { text: "yes" }));
  const asked: unknown[] = [];
  const results = await evaluateSideBySide(
    scene.agent,
    ({ model }) => {
      asked.push(model);
      return hello.bind();
    },
    { models: [{ model: "a" }, { model: "b" }] },
  );
  assert.deepEqual(results.map((each) => ("error" in each ? "failed" : each.evaluation.text)).sort(), [
    "failed",
    "yes",
  ]);
  assert.deepEqual(
    results.map(({ model }) => model.model),
    ["a", "b"],
  );
  assert.deepEqual(asked, ["a", "b"]);
  const models = await Promise.all(scene.servers.map(async (server) => (await paramsOf(server, "thread/start")).model));
  assert.deepEqual(models.sort(), ["a", "b"]);
});

test("12.8: numbers count for each source by itself, and a listener that fails does no harm", async () => {
  const entries: TranscriptEntry[] = [];
  const scene = stage((server) =>
    server.turn({
      items: [
        { type: "notify", method: "thread/status/changed", params: { threadId: "child", status: { type: "idle" } } },
        {
          type: "notify",
          method: "item/completed",
          params: { threadId: "child", turnId: "x", item: { type: "agentMessage", id: "m", text: "sub" } },
        },
      ],
      text: "done",
    }),
  );
  const onTranscript = (entry: TranscriptEntry) => {
    entries.push(entry);
    throw new Error("broken listener");
  };
  await scene.agent.evaluate(hello.bind(), { onTranscript });
  const child = entries.filter(({ source }) => source === "thread:child");
  assert.deepEqual(
    child.map(({ sequenceNumber, entryType }) => [sequenceNumber, entryType]),
    [
      [1, "systemEvent"],
      [2, "assistant"],
    ],
  );
  const main = entries.filter(({ source }) => source === "main").map(({ sequenceNumber }) => sequenceNumber);
  assert.deepEqual(
    main,
    main.map((_, index) => index + 1),
  );
});

test("12.9: every kind of thing has its type", async () => {
  const item = (type: string, more: object = {}) =>
    ({ type: "item", item: { type, id: `id-${type}`, ...more } }) as const;
  const scene = stage((server) =>
    server.turn({
      items: [
        { type: "reasoning", summary: ["thinking"] },
        { type: "command", command: "ls" },
        item("contextCompaction"),
        item("somethingNew"),
        { type: "notify", method: "brand/new", params: {} },
        { type: "notify", method: "error", params: { error: { message: "oops" }, willRetry: true } },
        { type: "notify", method: "item/reasoning/textDelta", params: { delta: "x" } },
      ],
      text: "done",
    }),
  );
  const { transcript } = await scene.agent.evaluate(hello.bind());
  const found = new Set(transcript.map(({ entryType }) => entryType));
  for (const type of [
    "user",
    "assistant",
    "toolUse",
    "toolResult",
    "thinking",
    "systemEvent",
    "tokenUsage",
    "error",
    "unknown",
  ] as const)
    assert.ok(found.has(type), type);
  assert.ok(!JSON.stringify(transcript).includes("textDelta"));
});

test("12.10: the run is named in all events, and the heartbeat reaches tools", async () => {
  const session = new Session();
  let beats = 0;
  const beating = tool({
    name: "beating",
    description: "Beats",
    run: (_params, context) => {
      context.beat();
      return ToolResult.ok({ run: context.runContext?.runId ?? "none" });
    },
  });
  const scene = stage((server) =>
    server.turn({ items: [toolCall("beating"), { type: "command", command: "ls" }], text: "x" }),
  );
  const runContext = {
    runId: "r",
    requestId: "q",
    sessionId: "s",
    workerId: "w",
    attempt: 1,
    traceId: "t",
    spanId: "p",
  };
  await scene.agent.evaluate(promptWith(beating).bind(), {
    session,
    runContext,
    heartbeat: { beat: () => void beats++ },
  });
  assert.equal(beats, 1);
  for (const event of session.slice(ToolInvoked).all()) assert.deepEqual(event.runContext, runContext);
});

test("12.11: time comes from the clock that was given", async () => {
  const clock = fakeClock({ now: Date.UTC(2040, 5, 1) });
  const session = new Session({ clock });
  const { transcript } = await stage(() => {}, { clock }).agent.evaluate(hello.bind(), { session });
  assert.equal(session.slice(PromptRendered).latest()?.createdAt, "2040-06-01T00:00:00.000Z");
  assert.equal(transcript[0]?.timestamp, "2040-06-01T00:00:00.000Z");
});

const Draft = z.object({ title: z.string(), id: z.string().optional() });

test("12.12: the loop prepares, evaluates, fills in what the model was not asked for, and cleans up", async () => {
  const steps: string[] = [];
  const bundles: DebugBundle[] = [];
  const scene = stage((server) => server.turn({ text: '{"title":"T","id":null}' }));
  const section = markdown({ key: "a", title: "A", template: "Go.", cleanup: () => void steps.push("section") });
  const result = await runAgentLoop(
    scene.agent,
    { ticket: 7 },
    {
      prepare: () => ({ prompt: definePrompt({ ns: "t", key: "l", sections: [section], output: Draft }).bind() }),
      finalize: ({ output }, { request }) => ({ ...output, id: `ticket-${request.ticket}` }),
      cleanup: () => void steps.push("loop"),
      onBundle: (bundle) => bundles.push(bundle),
    },
  );
  assert.deepEqual(result, { title: "T", id: "ticket-7" });
  assert.deepEqual(steps, ["section", "loop"]);
  const [bundle] = bundles;
  assert.equal(bundle?.error, null);
  assert.ok((bundle?.transcript.length ?? 0) > 3 && (bundle?.logs.length ?? 0) > 0);
  assert.match(JSON.stringify(bundle?.session), /quire\.promptExecuted/);
});

test("12.12: a request that fails is cleaned up and told of too", async () => {
  const steps: string[] = [];
  const bundles: DebugBundle[] = [];
  const scene = stage((server) => server.turn({ error: { message: "broken", codexErrorInfo: "other" } }));
  const loop = {
    prepare: () => ({ prompt: hello.bind() }),
    cleanup: () => void steps.push("cleaned"),
    onBundle: (bundle: DebugBundle) => void bundles.push(bundle),
  };
  await assert.rejects(runAgentLoop(scene.agent, undefined, loop), /broken/);
  assert.deepEqual(steps, ["cleaned"]);
  assert.equal(bundles[0]?.error?.message, "broken");
});
