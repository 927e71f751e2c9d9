import assert from "node:assert/strict";
import { test } from "node:test";
import { tool as ownTool } from "@quire/client";
import { gate } from "@quire/testkit";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { all, call, callNow, fixture, paramsOf, sent, type ToolReply } from "./fixture.ts";

const weather = tool({
  description: "The weather in a city",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    if (city === "Atlantis") throw new Error("No such city");
    return { city, sky: "clear" };
  },
});
const stopWhen = stepCountIs(5);

interface DynamicTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly required: readonly string[] };
}

test("a tool of the AI SDK is run by it, and the same turn goes on with the result", async () => {
  await using it = await fixture();
  it.server.turn({
    items: [{ type: "message", text: "Let me see." }, call("c1", "weather", { city: "Oslo" })],
    text: "Clear.",
  });
  const result = streamText({ model: it.codex(), prompt: "Oslo?", tools: { weather }, stopWhen });
  const types = (await all(result.fullStream)).map(({ type }) => type).filter((type) => !type.startsWith("text-"));
  assert.deepEqual(types, [
    ...["start", "start-step", "tool-call", "tool-result", "finish-step"],
    ...["start-step", "finish-step", "finish"],
  ]);
  assert.equal(await result.text, "Clear.");
  const steps = await result.steps;
  assert.deepEqual(
    steps.map(({ text, finishReason }) => [text, finishReason]),
    [
      ["Let me see.", "tool-calls"],
      ["Clear.", "stop"],
    ],
  );
  assert.deepEqual(steps[0]?.toolResults[0]?.output, { city: "Oslo", sky: "clear" });
  assert.equal(paramsOf(it.server, "turn/start").length, 1, "one turn for both steps");
  const [spec] = sent<{ dynamicTools: DynamicTool[] }>(it.server, "thread/start").dynamicTools;
  assert.deepEqual([spec?.name, spec?.description], ["weather", "The weather in a city"]);
  assert.deepEqual(spec?.inputSchema.required, ["city"]);
});

test("calls at the same time are one step, and each gets its own result", async () => {
  await using it = await fixture();
  const done = gate();
  it.server.turn({ items: [{ type: "wait", until: done }], text: "Both clear." });
  const result = generateText({ model: it.codex(), prompt: "Both?", tools: { weather }, stopWhen });
  await it.server.waitFor("turn/start");
  const answers = await Promise.all([
    callNow(it.server, "c1", { city: "Oslo" }),
    callNow(it.server, "c2", { city: "Rome" }),
    callNow(it.server, "c2", { city: "Bonn" }),
  ]);
  done.open();
  const { steps, text } = await result;
  assert.equal(text, "Both clear.");
  assert.equal(steps.length, 2);
  assert.deepEqual(
    steps[0]?.toolCalls.map(({ toolCallId }) => toolCallId),
    ["c1", "c2", "c2-2"],
  );
  assert.deepEqual(
    answers.map(({ success, contentItems: [item] }) => [success, item?.text]),
    ["Oslo", "Rome", "Bonn"].map((city) => [true, JSON.stringify({ city, sky: "clear" })]),
  );
});

test("a call that comes while the AI SDK runs another is told in the next step", async () => {
  await using it = await fixture();
  const done = gate();
  it.server.turn({ items: [{ type: "wait", until: done }], text: "Done." });
  let second: Promise<ToolReply> | undefined;
  const slow = tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      second ??= callNow(it.server, "c2", { city: "Rome" });
      return city;
    },
  });
  const result = generateText({ model: it.codex(), prompt: "Go", tools: { weather: slow }, stopWhen });
  await it.server.waitFor("turn/start");
  const first = await callNow(it.server, "c1", { city: "Oslo" });
  assert.equal(first.contentItems[0]?.text, "Oslo");
  assert.equal((await second)?.contentItems[0]?.text, "Rome");
  done.open();
  assert.deepEqual(
    (await result).steps.map(({ toolCalls }) => toolCalls.map(({ toolCallId }) => toolCallId)),
    [["c1"], ["c2"], []],
  );
});

test("an error of a tool is told to the model as a failed call", async () => {
  await using it = await fixture();
  const done = gate();
  it.server.turn({ items: [{ type: "wait", until: done }], text: "I see." });
  const result = generateText({ model: it.codex(), prompt: "Go", tools: { weather }, stopWhen });
  await it.server.waitFor("turn/start");
  const thrown = await callNow(it.server, "c1", { city: "Atlantis" });
  assert.deepEqual([thrown.success, thrown.contentItems[0]?.text], [false, "No such city"]);
  const invalid = await callNow(it.server, "c2", { town: "Oslo" });
  assert.equal(invalid.success, false);
  assert.match(invalid.contentItems[0]?.text ?? "", /Invalid input for tool weather/);
  done.open();
  assert.equal((await result).text, "I see.");
});

test("pictures that a tool gives reach the model as pictures", async () => {
  await using it = await fixture();
  const done = gate();
  it.server.turn({ items: [{ type: "wait", until: done }], text: "Nice." });
  const weather = tool({
    inputSchema: z.object({}),
    execute: () => "AAAA",
    toModelOutput: ({ output }) => ({
      type: "content",
      value: [
        { type: "text", text: "here" },
        { type: "image-data", data: output, mediaType: "image/png" },
        // As version 7 of the AI SDK gives the same.
        { type: "file-data", data: output, mediaType: "image" },
      ],
    }),
  });
  const result = generateText({ model: it.codex(), prompt: "Go", tools: { weather }, stopWhen });
  await it.server.waitFor("turn/start");
  const { contentItems } = await callNow(it.server, "c1", {});
  assert.deepEqual(contentItems, [
    { type: "inputText", text: "here" },
    { type: "inputImage", imageUrl: "data:image/png;base64,AAAA" },
    { type: "inputImage", imageUrl: "data:image/png;base64,AAAA" },
  ]);
  done.open();
  await result;
});

test("a tool of this package runs within the step, and is seen as executed by Codex", async () => {
  const clock = ownTool({ name: "clock", description: "The time", input: { type: "object" }, run: () => "noon" });
  await using it = await fixture({ tools: [clock] });
  const item = { type: "dynamicToolCall", id: "c1", tool: "clock", arguments: {}, status: "completed", success: true };
  it.server.turn({
    items: [
      call("c1", "clock", {}),
      { type: "item", item: { ...item, contentItems: [{ type: "inputText", text: "noon" }] } },
    ],
    text: "It is noon.",
  });
  const { steps, text } = await generateText({ model: it.codex(), prompt: "Time?", tools: { weather }, stopWhen });
  assert.equal(text, "It is noon.");
  assert.equal(steps.length, 1);
  assert.equal(steps[0]?.dynamicToolResults[0]?.toolName, "clock");
  assert.deepEqual(
    sent<{ dynamicTools: DynamicTool[] }>(it.server, "thread/start").dynamicTools.map(({ name }) => name),
    ["clock", "weather"],
  );
});

test("a command that ends in a later step than it began has its call and its result together there", async () => {
  await using it = await fixture();
  const item = { type: "commandExecution", id: "cmd", command: "make", cwd: "/", commandActions: [] };
  it.server.turn({
    items: [
      { type: "notify", method: "item/started", params: { item: { ...item, status: "inProgress" } } },
      call("c1", "weather", { city: "Oslo" }),
      { type: "notify", method: "item/completed", params: { item: { ...item, status: "completed", exitCode: 0 } } },
    ],
    text: "Done.",
  });
  const { steps } = await generateText({ model: it.codex(), prompt: "Go", tools: { weather }, stopWhen });
  assert.deepEqual(
    steps.map(({ content }) =>
      content.map((part) => ("toolName" in part ? `${part.type} ${part.toolName}` : part.type)),
    ),
    [
      ["tool-call commandExecution", "tool-call weather", "tool-result weather"],
      ["tool-call commandExecution", "tool-result commandExecution", "text"],
    ],
  );
});
