import assert from "node:assert/strict";
import { test } from "node:test";
import { createProviderRegistry, generateText, streamText } from "ai";
import { all, fixture, paramsOf, sent } from "./fixture.ts";

test("streamText streams what the agent says, delta by delta", async () => {
  await using it = await fixture();
  it.server.turn({
    text: "Hello out there.",
    chunks: 4,
    usage: { input: 90, cachedInput: 40, output: 12, reasoning: 5 },
  });
  const result = streamText({ model: it.codex("gpt-5.5"), prompt: "Say hello" });
  const deltas = await all(result.textStream);
  assert.equal(deltas.join(""), "Hello out there.");
  assert.equal(deltas.length, 4);
  assert.equal(await result.finishReason, "stop");
  const { inputTokens, inputTokenDetails, outputTokens, outputTokenDetails } = await result.usage;
  assert.deepEqual([inputTokens, inputTokenDetails.cacheReadTokens, inputTokenDetails.noCacheTokens], [90, 40, 50]);
  assert.deepEqual([outputTokens, outputTokenDetails.reasoningTokens, outputTokenDetails.textTokens], [12, 5, 7]);
  const [start] = paramsOf(it.server, "thread/start");
  assert.equal(start?.model, "gpt-5.5");
  const [turn] = paramsOf(it.server, "turn/start");
  assert.deepEqual(turn?.input, [{ type: "text", text: "Say hello", text_elements: [] }]);
});

test("reasoning and what Codex does by itself come as parts of their own, in order", async () => {
  await using it = await fixture();
  const mcp = { type: "mcpToolCall", id: "mcp_1", server: "docs", tool: "find", arguments: { q: "x" } };
  it.server.turn({
    items: [
      { type: "reasoning", summary: ["First I look.", "Then I think."] },
      { type: "command", command: "ls", output: "a.txt\n" },
      { type: "fileChange", changes: [{ path: "/a.txt", diff: "+x" }] },
      {
        type: "item",
        item: { ...mcp, status: "failed", result: null, error: { message: "no such page" }, durationMs: 1 },
      },
    ],
    text: "Done.",
  });
  const result = streamText({ model: it.codex(), prompt: "Work" });
  const parts = await all(result.fullStream);
  const order = parts.flatMap((part) => {
    if (part.type === "tool-call" || part.type === "tool-result" || part.type === "tool-error")
      return [`${part.type} ${part.toolName} ${part.dynamic && part.providerExecuted ? "by Codex" : ""}`];
    return part.type === "reasoning-start" || part.type === "text-start" ? [part.type] : [];
  });
  assert.deepEqual(order, [
    "reasoning-start",
    "reasoning-start",
    "tool-call commandExecution by Codex",
    "tool-result commandExecution by Codex",
    "tool-call fileChange by Codex",
    "tool-result fileChange by Codex",
    "tool-call mcp__docs__find by Codex",
    "tool-error mcp__docs__find by Codex",
    "text-start",
  ]);
  assert.equal(await result.reasoningText, "First I look.Then I think.");
  const [command] = (await result.toolResults).filter(({ toolName }) => toolName === "commandExecution");
  assert.deepEqual(command?.input, { command: "/bin/bash -lc ls", cwd: process.cwd() });
  assert.deepEqual(command?.output, { status: "completed", exitCode: 0, output: "a.txt\n", durationMs: 1 });
  assert.equal((await result.steps).length, 1);
});

test("generateText gives the same as one result, with the thread and the turn as metadata", async () => {
  await using it = await fixture();
  it.server.turn({ items: [{ type: "command", command: "false", exitCode: 1 }], text: "It failed." });
  const result = await generateText({ model: it.codex.languageModel("gpt-5.5"), prompt: "Work" });
  assert.equal(result.text, "It failed.");
  assert.deepEqual(
    result.content.map(({ type }) => type),
    ["tool-call", "tool-result", "text"],
  );
  const [turn] = paramsOf(it.server, "turn/start");
  assert.deepEqual(result.providerMetadata?.codex, { threadId: turn?.threadId, turnId: result.response.id });
  assert.equal(result.totalUsage.inputTokens, 200);
  await it.server.waitFor("thread/unsubscribe");
});

test("settings that Codex does not have are warned of, and the call goes on", async () => {
  await using it = await fixture();
  const { warnings, text } = await generateText({
    model: it.codex(),
    prompt: "Work",
    temperature: 0.2,
    maxOutputTokens: 100,
    seed: 7,
    stopSequences: ["END"],
  });
  assert.equal(text, "ok");
  assert.deepEqual(
    warnings?.map((warning) => warning.type === "unsupported" && warning.feature),
    ["maxOutputTokens", "temperature", "stopSequences", "seed"],
  );
});

test("settings of the provider, the model and the call reach the thread and the turn", async () => {
  await using it = await fixture({ thread: { sandbox: "read-only", cwd: "/" }, turn: { effort: "low" } });
  await generateText({
    model: it.codex("gpt-5.5", { thread: { cwd: "/tmp" } }),
    system: "Be brief.",
    prompt: "Work",
    providerOptions: { codex: { effort: "high", summary: "concise" } },
  });
  const [thread] = paramsOf(it.server, "thread/start");
  assert.equal(thread?.sandbox, "read-only");
  assert.equal(thread?.cwd, "/tmp");
  assert.equal(thread?.developerInstructions, "Be brief.");
  const [turn] = paramsOf(it.server, "turn/start");
  assert.deepEqual([turn?.effort, turn?.summary], ["high", "concise"]);
});

test("raw chunks are the turn's events", async () => {
  await using it = await fixture();
  const result = streamText({ model: it.codex(), prompt: "Work", includeRawChunks: true });
  const raw = (await all(result.fullStream)).flatMap((part) => (part.type === "raw" ? [part.rawValue] : []));
  const types = raw.map((event) => (event as { type: string }).type);
  assert.equal(types[0], "turn.started");
  assert.equal(types.at(-1), "turn.completed");
});

test("a reader that is far too slow still gets the whole text", async () => {
  await using it = await fixture();
  const text = Array.from({ length: 15_000 }, (_, n) => `${n} `).join("");
  it.server.turn({ items: [{ type: "command", command: "ls" }], text, chunks: 15_000 });
  const over = new Promise((resolve) => it.client.on("turn:completed", resolve));
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Count" }] }];
  const { stream } = await it.codex().doStream({ prompt });
  await over;
  let read = "";
  const types = new Set<string>();
  for await (const part of stream) {
    types.add(part.type);
    if (part.type === "text-delta") read += part.delta;
  }
  assert.equal(read, text);
  assert.ok(types.has("finish"));
});

test("the provider fits into a registry", async () => {
  await using it = await fixture();
  const registry = createProviderRegistry({ codex: it.codex });
  await generateText({ model: registry.languageModel("codex:gpt-5.5"), prompt: "Work" });
  assert.equal(sent(it.server, "thread/start").model, "gpt-5.5");
});
