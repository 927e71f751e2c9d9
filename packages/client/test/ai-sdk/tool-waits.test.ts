import assert from "node:assert/strict";
import { test } from "node:test";
import { gate } from "@quire/testkit";
import { generateText, stepCountIs, tool } from "ai";
import { z } from "zod";
import { call, callNow, fixture, paramsOf, type Started, sent, withoutExecute } from "./fixture.ts";

const stopWhen = stepCountIs(5);

test("tools that never come back fail after toolTimeoutMs, and the turn is interrupted", async () => {
  await using it = await fixture({ toolTimeoutMs: 50 });
  it.server.turn({ items: [{ type: "wait", until: gate() }] });
  const result = generateText({ model: it.codex(), prompt: "Go", tools: { weather: withoutExecute() }, stopWhen });
  await it.server.waitFor("turn/start");
  const reply = await callNow(it.server, "c1", {});
  assert.equal((await result).finishReason, "tool-calls");
  assert.equal(reply.success, false);
  assert.match(reply.contentItems[0]?.text ?? "", /No result came within 50 ms/);
  await it.server.waitFor("turn/interrupt");
});

test("an abort while the AI SDK runs a tool fails the call and interrupts the turn", async () => {
  await using it = await fixture();
  it.server.turn({ items: [{ type: "wait", until: gate() }] });
  const abort = new AbortController();
  const hanging = tool({
    inputSchema: z.object({}),
    execute: () => {
      abort.abort(new Error("enough"));
      return new Promise<string>(() => undefined);
    },
  });
  void generateText({
    model: it.codex(),
    prompt: "Go",
    tools: { weather: hanging },
    stopWhen,
    abortSignal: abort.signal,
  }).catch(() => undefined);
  await it.server.waitFor("turn/start");
  assert.equal((await callNow(it.server, "c1", {})).success, false);
  await it.server.waitFor("turn/interrupt");
});

test("a result that is given later, by another call, goes on with the turn; what the user added is steered in", async () => {
  await using it = await fixture();
  it.server.turn({ items: [call("c1", "weather", { city: "Oslo" })], text: "Clear and noted." });
  it.server.on("turn/steer", { turnId: "t" });
  const tools = { weather: withoutExecute() };
  const first = await generateText({ model: it.codex(), prompt: "Oslo?", tools });
  const output = { type: "text" as const, value: "sunny" };
  const second = await generateText({
    model: it.codex(),
    tools,
    messages: [
      { role: "user", content: "Oslo?" },
      ...first.response.messages,
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c1", toolName: "weather", output }] },
      { role: "user", content: "Please note it." },
    ],
  });
  assert.equal(second.text, "Clear and noted.");
  assert.equal(paramsOf(it.server, "turn/start").length, 1);
  assert.equal(sent<Started>(it.server, "turn/steer").input[0]?.text, "Please note it.");
});

test("two turns whose models use the same call id do not get each other's results", async () => {
  await using it = await fixture();
  const script = { items: [call("call_0", "weather", { city: "x" })], text: "Done." };
  it.server.turn(script, script);
  const tools = { weather: withoutExecute() };
  const [a, b] = await Promise.all(["A", "B"].map((prompt) => generateText({ model: it.codex(), prompt, tools })));
  assert.ok(a && b);
  const finish = (messages: typeof a.response.messages, value: string) =>
    generateText({
      model: it.codex(),
      tools,
      messages: [
        { role: "user", content: "Go" },
        ...messages,
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "call_0", toolName: "weather", output: { type: "text", value } },
          ],
        },
      ],
    });
  const done = [await finish(b.response.messages, "for B"), await finish(a.response.messages, "for A")];
  assert.deepEqual(
    done.map(({ providerMetadata }) => providerMetadata?.codex?.threadId),
    [b, a].map(({ providerMetadata }) => providerMetadata?.codex?.threadId),
  );
});

test("a thread that is gone on with does not wait for the tools of before", async () => {
  await using it = await fixture();
  it.server.turn({ items: [{ type: "wait", until: gate() }] }, { text: "Never mind." });
  const tools = { weather: withoutExecute() };
  const first = generateText({ model: it.codex(), prompt: "Oslo?", tools });
  await it.server.waitFor("turn/start");
  const reply = callNow(it.server, "c1", {});
  const threadId = String((await first).providerMetadata?.codex?.threadId);
  const providerOptions = { codex: { threadId } };
  const { text } = await generateText({ model: it.codex(), prompt: "Forget it", tools, providerOptions });
  assert.equal(text, "Never mind.");
  assert.equal((await reply).success, false);
  assert.equal(paramsOf(it.server, "turn/interrupt").length, 1);
});
