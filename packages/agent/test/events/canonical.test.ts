import assert from "node:assert/strict";
import { test } from "node:test";
import { PromptExecuted, PromptRendered, RenderedTools, Session, ToolInvoked, ToolResult } from "@quire/agent";
import { promptExecuted, promptRendered, renderedTools, toolInvoked } from "@quire/agent/events";
import { noUsage } from "@quire/agent/runtime";
import { publish } from "@quire/agent/sessions";
import { fakeClock } from "@quire/testkit";
import { memoryLogger } from "../support/log.ts";

const clock = fakeClock({ now: Date.UTC(2026, 0, 2) });
const createdAt = "2026-01-02T00:00:00.000Z";
const prompt = { ns: "n", key: "k", name: "N" };
const runContext = { runId: "r", requestId: "q", sessionId: "s", workerId: "w", attempt: 1, traceId: "t", spanId: "p" };

function withoutId<T extends { readonly eventId: string }>({ eventId, ...rest }: T) {
  assert.match(eventId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
  return rest;
}

test("4.11: the event of a rendered prompt has all of its fields, null where there is nothing to say", () => {
  const full = promptRendered({
    prompt,
    adapter: "other",
    sessionId: "s",
    renderedPrompt: "text",
    renderInputs: [{ path: "a", params: { x: 1 } }],
    descriptor: { sections: [] },
    runContext,
    clock,
  });
  assert.ok(PromptRendered.is(full));
  assert.deepEqual(withoutId(full), {
    createdAt,
    sessionId: "s",
    promptNs: "n",
    promptKey: "k",
    promptName: "N",
    adapter: "other",
    renderInputs: [{ path: "a", params: { x: 1 } }],
    renderedPrompt: "text",
    descriptor: { sections: [] },
    runContext,
  });
  const bare = promptRendered({ prompt: { ...prompt, name: null }, renderedPrompt: "" });
  assert.deepEqual(
    [bare.promptName, bare.sessionId, bare.descriptor, bare.runContext, bare.adapter, bare.renderInputs],
    [null, null, null, null, "codex_app_server", []],
  );
  assert.notEqual(bare.eventId, full.eventId);
});

test("4.12: the event of the tools names the event of the prompt that they went with", () => {
  const renderEvent = promptRendered({ prompt, sessionId: "s", renderedPrompt: "" });
  const tools = [{ name: "t", description: "d", parameters: { type: "object" } }];
  const event = renderedTools({ renderEvent, tools, clock });
  assert.ok(RenderedTools.is(event));
  assert.deepEqual(withoutId(event), {
    createdAt,
    sessionId: "s",
    promptNs: "n",
    promptKey: "k",
    tools,
    renderEventId: renderEvent.eventId,
  });
});

test("4.12: an event that cannot be delivered is logged, and stops nothing", () => {
  const { lines, logger } = memoryLogger();
  const session = new Session();
  session.dispatcher.subscribe(RenderedTools, () => {
    throw new Error("down");
  });
  const renderEvent = promptRendered({ prompt, renderedPrompt: "" });
  publish(session, renderedTools({ renderEvent, tools: [] }), logger);
  publish(session, { no: "event" }, logger);
  publish(undefined, renderEvent, logger);
  assert.deepEqual(lines, ["A subscriber failed", "An event could not be delivered"]);
});

test("4.22: the event of a tool has all of its fields, with at most 1000 characters of output", () => {
  const usage = { ...noUsage, totalTokens: 3 };
  const result = ToolResult.ok({ a: 1 });
  const facts = { promptName: "n:k", name: "t", params: { x: 1 }, result, renderedOutput: "out", clock };
  const event = toolInvoked({ ...facts, sessionId: "s", usage, callId: "c", runContext });
  assert.ok(ToolInvoked.is(event));
  assert.deepEqual(withoutId(event), {
    createdAt,
    sessionId: "s",
    promptName: "n:k",
    adapter: "codex_app_server",
    name: "t",
    params: { x: 1 },
    result,
    usage,
    renderedOutput: "out",
    callId: "c",
    runContext,
  });
  const bare = toolInvoked({ ...facts, renderedOutput: "😀".repeat(1001) });
  assert.equal(bare.renderedOutput, "😀".repeat(1000));
  assert.deepEqual([bare.sessionId, bare.usage, bare.callId, bare.runContext], [null, null, null, null]);
});

test("4.28: the event of an evaluation has all of its fields", () => {
  const usage = { ...noUsage, totalTokens: 3 };
  const result = { promptName: "n:k", text: "done", output: { a: 1 } };
  const event = promptExecuted({ promptName: "n:k", result, sessionId: "s", usage, runContext, clock });
  assert.ok(PromptExecuted.is(event));
  assert.deepEqual(withoutId(event), {
    createdAt,
    sessionId: "s",
    promptName: "n:k",
    adapter: "codex_app_server",
    result,
    usage,
    runContext,
  });
});

test("4.22: events cannot be changed, and do not change with what they were made of", () => {
  const params = { list: [1] };
  const event = toolInvoked({ promptName: "p", name: "t", params, result: ToolResult.ok(), renderedOutput: "" });
  params.list.push(2);
  assert.deepEqual(event.params, { list: [1] });
  assert.throws(() => Object.assign(event, { name: "x" }), TypeError);
});
