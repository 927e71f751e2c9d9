import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BudgetExceededError,
  BudgetTracker,
  Deadline,
  PromptRendered,
  provide,
  record,
  resourceKey,
  Session,
  supply,
  type ToolContext,
  ToolInvoked,
  ToolResult,
  tool,
  VisibilityExpansionRequired,
} from "@quire/agent";
import { FilesystemResource, noUsage } from "@quire/agent/runtime";
import { callTool } from "@quire/client/tools";
import { fakeClock } from "@quire/testkit";
import { z } from "zod";
import { bridgeOf } from "../support/bridge.ts";
import { memoryLogger } from "../support/log.ts";
import { Plan, StepAdded } from "../support/records.ts";

const params = z.object({ id: z.string() });
const echo = tool({ name: "echo", description: "Echoes", input: params, run: ({ id }) => ToolResult.ok({ id }) });
const last = (session: Session) => session.slice(ToolInvoked).latest();

test("2.5: a handler knows the prompt, the session, its limits, resources and files", async () => {
  let seen: ToolContext | undefined;
  let beats = 0;
  const spy = tool({
    name: "spy",
    description: "Spies",
    run: (_, context) => {
      seen = context;
      context.beat();
      return ToolResult.ok();
    },
  });
  const filesystem = { root: "/w" } as never;
  const deadline = Deadline.in(60_000);
  const runContext = { runId: "r", attempt: 2 };
  await using bridge = await bridgeOf({
    tools: [spy],
    deadline,
    runContext,
    heartbeat: { beat: () => void beats++ },
    adapter: "other",
    define: { resources: [supply(FilesystemResource, filesystem)] },
  });
  await bridge.call("spy");
  assert.ok(seen);
  assert.equal(seen.prompt, bridge.prompt);
  assert.equal(seen.renderedPrompt, bridge.rendered);
  assert.equal(seen.session, bridge.session);
  assert.equal(seen.adapter, "other");
  assert.equal(seen.deadline, deadline);
  assert.deepEqual(seen.runContext, runContext);
  assert.equal(seen.filesystem, filesystem);
  assert.equal(seen.callId, "call-1");
  assert.equal(beats, 1);
});

test("2.5: without files and heartbeat a handler does without", async () => {
  let seen: ToolContext | undefined;
  const spy = tool({
    name: "spy",
    description: "Spies",
    run: (_, context) => {
      seen = context;
      context.beat();
      return ToolResult.ok();
    },
  });
  await using bridge = await bridgeOf({ tools: [spy] });
  assert.equal((await bridge.call("spy")).success, true);
  assert.deepEqual([seen?.filesystem, seen?.heartbeat, seen?.deadline], [undefined, undefined, undefined]);
});

test("2.6: a handler gets the budget's tracker, and a signal that says when nobody waits any more", async () => {
  const budgetTracker = new BudgetTracker({ maxTotalTokens: 10 });
  const aborter = new AbortController();
  let seen: ToolContext | undefined;
  const spy = tool({
    name: "spy",
    description: "Spies",
    run: async (_, context) => {
      seen = context;
      const told = new Promise((resolve) => context.signal.addEventListener("abort", resolve));
      aborter.abort(new Error("over"));
      await told;
      return ToolResult.ok();
    },
  });
  await using bridge = await bridgeOf({ tools: [spy], budgetTracker });
  assert.equal((await bridge.call("spy", {}, aborter.signal)).success, false);
  assert.equal(seen?.budgetTracker, budgetTracker);
  assert.equal(seen?.signal.aborted, true);
});

test("5.6: arguments come as an object or as JSON text; whatever is no object is told to the model", async () => {
  await using bridge = await bridgeOf({ tools: [echo] });
  assert.equal((await bridge.call("echo", { id: "a" })).text, '{"id":"a"}');
  assert.equal((await bridge.call("echo", '{"id":"b"}')).text, '{"id":"b"}');
  for (const bad of ["{", '"text"', "[]", "", [], 5]) {
    const { success, text } = await bridge.call("echo", bad);
    assert.equal(success, false);
    assert.match(text, /validation error.*\n- the arguments must be a JSON object/);
  }
  assert.match((await bridge.call("echo", null)).text, /- id: is missing/);
});

test("5.7: a reply has the text that the model reads, and whether it went well", async () => {
  await using bridge = await bridgeOf({ tools: [echo] });
  const { success, contentItems } = await bridge.call("echo", { id: "a" });
  assert.deepEqual(
    { success, contentItems },
    { success: true, contentItems: [{ type: "inputText", text: '{"id":"a"}' }] },
  );
});

test("5.8: a tool that does not exist is a failure with the names of those that do", async () => {
  await using bridge = await bridgeOf({ tools: [echo] });
  const { success, text } = await bridge.call("nobody");
  assert.deepEqual([success, text], [false, 'Unknown tool "nobody". Known tools: echo']);
});

test("5.9: arguments that do not fit, denials, failures and exceptions are told to the model, and all is taken back", async () => {
  const session = new Session();
  const spoil = (end: () => ToolResult) =>
    tool({
      name: "spoil",
      description: "Spoils",
      input: params,
      run: (_, context) => {
        context.session.dispatch(StepAdded({ step: "spoilt" }));
        return end();
      },
    });
  const cases: [() => ToolResult, RegExp][] = [
    [() => ToolResult.error("no luck"), /^no luck$/],
    [
      () => {
        throw new TypeError("a bug");
      },
      /^a bug$/,
    ],
    [
      () => {
        throw "a string";
      },
      /^a string$/,
    ],
  ];
  for (const [end, expected] of cases) {
    await using bridge = await bridgeOf({ tools: [spoil(end)], session });
    const { success, text } = await bridge.call("spoil", { id: "a" });
    assert.equal(success, false);
    assert.match(text, expected);
    assert.equal(session.slice(StepAdded).size, 0);
  }
  await using bridge = await bridgeOf({ tools: [spoil(() => ToolResult.ok())], session });
  assert.match((await bridge.call("spoil", {})).text, /validation error/);
  assert.equal((await bridge.call("spoil", { id: "a" })).success, true);
  assert.equal(session.slice(StepAdded).size, 1);
});

test("5.10: a type error within a handler is not called an error of the arguments", async () => {
  const buggy = tool({
    name: "buggy",
    description: "Has a bug",
    input: params,
    run: () => {
      throw new TypeError("x is undefined");
    },
  });
  await using bridge = await bridgeOf({ tools: [buggy] });
  const { text } = await bridge.call("buggy", { id: "a" });
  assert.equal(text, "x is undefined");
  assert.doesNotMatch(text, /validation/);
});

test("5.11: every call has one event with its id, however it ended", async () => {
  const session = new Session();
  const opening = tool({
    name: "open",
    description: "Opens",
    run: () => {
      throw new VisibilityExpansionRequired({ requestedOverrides: { a: "full" }, reason: "r", sectionKeys: ["a"] });
    },
  });
  const failing = tool({
    name: "fail",
    description: "Fails",
    run: () => {
      throw new Error("broken");
    },
  });
  const usage = { ...noUsage, totalTokens: 7 };
  const clock = fakeClock();
  await using bridge = await bridgeOf({
    tools: [echo, opening, failing],
    session,
    clock,
    usage: () => usage,
    runContext: { runId: "r" },
  });
  for (const [name, args] of [
    ["echo", { id: "a" }],
    ["echo", {}],
    ["fail", {}],
    ["open", {}],
    ["nobody", {}],
  ] as const)
    await bridge.call(name, args);
  const events = session.slice(ToolInvoked).all();
  assert.deepEqual(
    events.map(({ name, result, callId, params: given }) => [name, result.success, callId, given]),
    [
      ["echo", true, "call-1", { id: "a" }],
      ["echo", false, "call-1", {}],
      ["fail", false, "call-1", {}],
      ["open", false, "call-1", {}],
      ["nobody", false, "call-1", {}],
    ],
  );
  const { eventId, ...first } = events[0] ?? assert.fail();
  assert.match(eventId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(first, {
    createdAt: new Date(clock.now()).toISOString(),
    sessionId: session.id,
    promptName: "test:bridge",
    adapter: "codex_app_server",
    name: "echo",
    params: { id: "a" },
    result: ToolResult.ok({ id: "a" }),
    usage,
    renderedOutput: '{"id":"a"}',
    callId: "call-1",
    runContext: { runId: "r" },
  });
  assert.equal(new Set(events.map((event) => event.eventId)).size, 5);
});

test("5.11: a subscriber that fails does not keep the model from its answer", async () => {
  const session = new Session();
  session.dispatcher.subscribe(ToolInvoked, () => {
    throw new Error("telemetry is down");
  });
  await using bridge = await bridgeOf({ tools: [echo], session });
  assert.equal((await bridge.call("echo", { id: "a" })).success, true);
});

test("5.12: when time is up, calls are refused without being run", async () => {
  const clock = fakeClock();
  const deadline = Deadline.in(5000, { clock });
  const session = new Session();
  let runs = 0;
  const counted = tool({ name: "t", description: "T", run: () => ToolResult.ok(++runs) });
  await using bridge = await bridgeOf({ tools: [counted], deadline, session });
  assert.equal((await bridge.call("t")).success, true);
  clock.advance(5000);
  const { success, text } = await bridge.call("t");
  assert.deepEqual([success, runs], [false, 1]);
  assert.match(text, /deadline has passed/);
  assert.equal(last(session)?.result.success, false);
});

test("5.12: a call that finds the budget exceeded tells the model and whoever evaluates, and no further call is run", async () => {
  const budgetTracker = new BudgetTracker({ maxTotalTokens: 10 });
  const told: unknown[] = [];
  let runs = 0;
  const spend = tool({
    name: "spend",
    description: "Spends",
    run: () => {
      budgetTracker.recordCumulative("e", { ...noUsage, totalTokens: 11 });
      return ToolResult.ok(++runs);
    },
  });
  await using bridge = await bridgeOf({ tools: [spend], budgetTracker, onBudgetExceeded: (error) => told.push(error) });
  const first = await bridge.call("spend");
  const second = await bridge.call("spend");
  assert.deepEqual([first.success, second.success, runs], [false, false, 1]);
  assert.match(first.text, /budget is exceeded: 11 totalTokens of 10/);
  assert.equal(told.length, 1);
  assert.ok(told[0] instanceof BudgetExceededError);
});

test("5.14: the first request for sections is kept for whoever evaluates; the model is told that it was heard", async () => {
  const session = new Session();
  const opening = tool({
    name: "open",
    description: "Opens",
    input: z.object({ key: z.string() }),
    run: ({ key }, context) => {
      context.session.dispatch(StepAdded({ step: key }));
      throw new VisibilityExpansionRequired({ requestedOverrides: { [key]: "full" }, reason: "r", sectionKeys: [key] });
    },
  });
  const told: VisibilityExpansionRequired[] = [];
  await using bridge = await bridgeOf({ tools: [opening], session, onExpansion: (each) => told.push(each) });
  const first = await bridge.call("open", { key: "a" });
  const second = await bridge.call("open", { key: "b" });
  assert.deepEqual([first.success, second.success], [true, true]);
  assert.match(first.text, /sections a will be shown/);
  assert.deepEqual(bridge.bridge.expansion?.sectionKeys, ["a"]);
  assert.deepEqual(told, [bridge.bridge.expansion]);
  assert.equal(session.slice(StepAdded).size, 0);
});

test("5.16: feedback is added after calls that went well, and a provider that fails is only logged", async () => {
  const { lines, logger } = memoryLogger();
  let isBroken = false;
  const feedback = async ({ tool: { name } }: { tool: { name: string } }) => {
    if (isBroken) throw new Error("broken");
    return [`used ${name}`, "go on"];
  };
  await using bridge = await bridgeOf({ tools: [echo], feedback, logger });
  assert.deepEqual((await bridge.call("echo", { id: "a" })).texts, ['{"id":"a"}', "used echo", "go on"]);
  assert.equal((await bridge.call("echo", {})).texts.length, 1);
  isBroken = true;
  assert.deepEqual((await bridge.call("echo", { id: "a" })).texts, ['{"id":"a"}']);
  assert.deepEqual(lines, ["Feedback could not be given"]);
});

test("3.11: a record that a tool gave is in its slice after the call", async () => {
  const planner = tool({
    name: "plan",
    description: "Plans",
    output: Plan,
    run: () => ToolResult.ok(Plan({ id: "p", steps: [] })),
  });
  await using bridge = await bridgeOf({ tools: [planner] });
  await bridge.call("plan");
  assert.equal(bridge.session.slice(Plan).latest()?.id, "p");
});

test("3.14: a session that cannot be written down fails the call, not the turn", async () => {
  const Odd = record<{ run: () => void }>("test.odd");
  const session = new Session();
  session.dispatch(Odd({ run: () => {} }));
  let runs = 0;
  const counted = tool({ name: "t", description: "T", run: () => ToolResult.ok(++runs) });
  await using bridge = await bridgeOf({ tools: [counted], session });
  const { success, text } = await bridge.call("t");
  assert.deepEqual([success, runs], [false, 0]);
  assert.match(text, /could not be run: The session cannot be written down: test\.odd\.run is a function/);
  assert.equal(last(session)?.result.success, false);
});

test("5.7: a thread of the client serves the tools with the same answers, and hears of arguments that do not fit", async () => {
  const broken = tool({ name: "broken", description: "B", run: () => ToolResult.error("no") });
  const pictured = tool({
    name: "pic",
    description: "P",
    run: () => ToolResult.ok("seen", { images: ["data:x"] }),
  });
  await using bridge = await bridgeOf({ tools: [echo, broken, pictured] });
  const tools = await bridge.bridge.tools();
  const call = (tool: string, args: object) =>
    callTool(
      tools,
      { tool, arguments: args as never, callId: "c", threadId: "t", turnId: "u" },
      new AbortController().signal,
    );
  const text = (text: string) => ({ type: "inputText", text });
  assert.deepEqual(await call("echo", { id: "a" }), { success: true, contentItems: [text('{"id":"a"}')] });
  assert.deepEqual(await call("broken", {}), { success: false, contentItems: [text("no")] });
  assert.deepEqual(await call("pic", {}), {
    success: true,
    contentItems: [text("seen"), { type: "inputImage", imageUrl: "data:x" }],
  });
  assert.equal((await call("echo", { id: 5 })).success, false);
  assert.equal(last(bridge.session)?.name, "echo");
  assert.equal(last(bridge.session)?.callId, "c");
  assert.equal(bridge.session.slice(PromptRendered).size, 0);
});

test("1.18: a resource of one call is closed when the call ends, also when it fails", async () => {
  const log: string[] = [];
  const Job = resourceKey<object>("job");
  const binding = provide(Job, { scope: "tool-call", create: () => ({ close: () => void log.push("closed") }) });
  const user = tool({
    name: "use",
    description: "Uses",
    run: async (_, { resources }) => {
      assert.equal(await resources.get(Job), await resources.get(Job));
      log.push("used");
      throw new Error("broken");
    },
  });
  await using bridge = await bridgeOf({ tools: [user], define: { resources: [binding] } });
  await bridge.call("use");
  await bridge.call("use");
  assert.deepEqual(log, ["used", "closed", "used", "closed"]);
});
