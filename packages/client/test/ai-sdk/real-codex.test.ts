/** The provider on the real Codex, with a mock model. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodex } from "@quire/client/ai-sdk";
import { codexVersion } from "@quire/protocol/version";
import {
  assertNoProcesses,
  eventually,
  mockResponses,
  realCodex,
  reply,
  skipWithoutCodex,
  taggedProcesses,
} from "@quire/testkit";
import { generateObject, generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { all } from "./fixture.ts";

const version = codexVersion;
const skip = await skipWithoutCodex(version);

/** A provider that starts a real Codex of its own. */
async function real() {
  const mock = await mockResponses();
  const codex = await realCodex(version, { model: mock });
  const provider = createCodex({ command: [codex.command, ...codex.args], env: codex.env, cwd: codex.cwd });
  return {
    mock,
    codex,
    provider,
    async [Symbol.asyncDispose]() {
      await provider.close();
      await assertNoProcesses({ tag: codex.tag });
      await codex[Symbol.asyncDispose]();
      await mock.close();
    },
  };
}

test("streamText: deltas, reasoning, a command that Codex runs, and the usage of both responses", {
  skip,
}, async () => {
  await using it = await real();
  it.mock.script(
    reply().reasoning(["I run it."]).functionCall("exec_command", { cmd: "echo from the shell" }),
    reply().text("The shell spoke.", { chunks: 3 }).usage({ input: 50, cachedInput: 20, output: 8, reasoning: 2 }),
  );
  const result = streamText({ model: it.provider("mock-model"), system: "Be brief.", prompt: "Run it" });
  assert.deepEqual((await all(result.textStream)).join(""), "The shell spoke.");
  assert.equal(await result.reasoningText, "I run it.");
  const [command] = await result.dynamicToolResults;
  assert.equal(command?.toolName, "commandExecution");
  assert.match(JSON.stringify(command?.output), /from the shell/);
  const usage = await result.totalUsage;
  assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.inputTokenDetails.cacheReadTokens], [150, 18, 20]);
  assert.match(it.mock.last.inputText("developer"), /Be brief\./);
});

test("generateObject: the model is given the schema in strict form, its answer is the object", { skip }, async () => {
  await using it = await real();
  it.mock.script(reply().text('{"name":"Oslo","mayor":null}'));
  const schema = z.object({ name: z.string(), mayor: z.string().optional() });
  const { object } = await generateObject({ model: it.provider("mock-model"), schema, prompt: "Oslo" });
  assert.deepEqual(object, { name: "Oslo" });
  const { format } = it.mock.last.body.text as { format: { strict: boolean; schema: { required: string[] } } };
  assert.equal(format.strict, true);
  assert.deepEqual(format.schema.required, ["name", "mayor"]);
});

test("tools: parallel calls are run by the AI SDK, and one turn goes on with their results", { skip }, async () => {
  await using it = await real();
  const [oslo, rome] = [{ callId: "call_oslo" }, { callId: "call_rome" }];
  it.mock.script(
    reply().functionCall("weather", { city: "Oslo" }, oslo).functionCall("weather", { city: "Rome" }, rome),
    reply().functionCall("weather", { city: "Atlantis" }, { callId: "call_atlantis" }),
    reply().text("Rain in Oslo and Rome."),
  );
  const ran: string[] = [];
  const weather = tool({
    description: "The weather in a city",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      ran.push(city);
      if (city === "Atlantis") throw new Error("No such city");
      return `rain in ${city}`;
    },
  });
  const result = streamText({
    model: it.provider("mock-model"),
    prompt: "The weather?",
    tools: { weather },
    stopWhen: stepCountIs(5),
  });
  await result.consumeStream();
  assert.equal(await result.text, "Rain in Oslo and Rome.");
  const steps = await result.steps;
  // Codex makes the two at once: which of them comes first is up to chance, and if they come far apart, each is a step.
  const calls = steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolCallId }) => toolCallId));
  assert.deepEqual(calls.slice(0, 2).sort(), ["call_oslo", "call_rome"]);
  assert.deepEqual(calls.slice(2), ["call_atlantis"]);
  assert.deepEqual(steps.at(-1)?.toolCalls, []);
  assert.deepEqual(ran.slice(0, 2).sort(), ["Oslo", "Rome"]);
  assert.deepEqual(ran.slice(2), ["Atlantis"]);
  assert.deepEqual(
    it.mock.last.functionOutputs().map(({ output }) => output),
    ["rain in Oslo", "rain in Rome", "No such city"],
  );
  assert.equal(it.mock.requests.length, 3);
  assert.equal((await result.totalUsage).inputTokens, 300);
  assert.equal(new Set(steps.map(({ response }) => response.id)).size, 1, "all steps are of one turn");
});

test("a conversation: history without a thread id, the thread itself with one", { skip }, async () => {
  await using it = await real();
  const model = it.provider("mock-model");
  it.mock.script(reply().text("Noted."), reply().text("Blue."), reply().text("Still blue."));
  const first = await generateText({ model, prompt: "My colour is blue." });
  const messages = [
    { role: "user" as const, content: "My colour is blue." },
    ...first.response.messages,
    { role: "user" as const, content: "Which colour?" },
  ];
  await generateText({ model, messages });
  const asked = it.mock.last.body.input.filter(({ type }) => type === "message").slice(-3);
  assert.deepEqual(
    asked.map(({ role }) => role),
    ["user", "assistant", "user"],
  );
  assert.match(it.mock.last.inputText(), /My colour is blue\.[\s\S]*Noted\.[\s\S]*Which colour\?/);

  const providerOptions = { codex: { threadId: String(first.providerMetadata?.codex?.threadId) } };
  const third = await generateText({ model, prompt: "And now?", providerOptions });
  assert.equal(third.text, "Still blue.");
  assert.match(it.mock.last.inputText(), /My colour is blue\.[\s\S]*Noted\.[\s\S]*And now\?/);
  assert.doesNotMatch(it.mock.last.inputText(), /Which colour/);
});

test("an abort stops the model's request", { skip }, async () => {
  await using it = await real();
  const hold = new Promise<void>(() => undefined);
  it.mock.script(reply().text(["Begun", hold, "never"]));
  const abort = new AbortController();
  const result = streamText({ model: it.provider("mock-model"), prompt: "Go", abortSignal: abort.signal });
  const types: string[] = [];
  for await (const part of result.fullStream) {
    types.push(part.type);
    if (part.type === "text-delta") abort.abort();
  }
  assert.equal(types.at(-1), "abort");
  assert.equal(await it.mock.last.ended, "aborted");
});

test("a Codex that died is replaced at the next call", { skip }, async () => {
  await using it = await real();
  const model = it.provider("mock-model");
  assert.equal((await generateText({ model, prompt: "Go" })).text, "ok");
  for (const { pid } of await taggedProcesses(it.codex.tag)) process.kill(pid, "SIGKILL");
  await eventually(async () => (await taggedProcesses(it.codex.tag)).length === 0);
  assert.equal((await generateText({ model, prompt: "Go" })).text, "ok");
});
