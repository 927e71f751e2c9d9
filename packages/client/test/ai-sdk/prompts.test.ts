import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexClient } from "@quire/client";
import { createCodex } from "@quire/client/ai-sdk";
import type { Transport } from "@quire/jsonrpc";
import { codexVersion } from "@quire/protocol/version";
import { scriptedServer } from "@quire/testkit";
import { generateText, type ModelMessage } from "ai";
import { fixture, paramsOf, type Started, sent, withoutExecute } from "./fixture.ts";

const conversation: ModelMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "What is in a.txt?" },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "I look." },
      { type: "tool-call", toolCallId: "c1", toolName: "read", input: { path: "a.txt" } },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "c1", toolName: "read", output: { type: "text", value: "abc" } }],
  },
  { role: "assistant", content: "It says abc." },
  { role: "user", content: "And in b.txt?" },
];

test("what was said before is put into the history of a new thread; the newest message is the input", async () => {
  await using it = await fixture();
  await generateText({ model: it.codex(), messages: conversation, allowSystemInMessages: true });
  const [thread] = paramsOf(it.server, "thread/start");
  assert.equal(thread?.developerInstructions, "Be brief.");
  const [injected] = paramsOf(it.server, "thread/inject_items");
  assert.deepEqual(injected?.items, [
    { type: "message", role: "user", content: [{ type: "input_text", text: "What is in a.txt?" }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
    { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a.txt"}' },
    { type: "function_call_output", call_id: "c1", output: "abc" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "It says abc." }] },
  ]);
  const [turn] = paramsOf(it.server, "turn/start");
  assert.deepEqual(turn?.input, [{ type: "text", text: "And in b.txt?", text_elements: [] }]);
});

test("a server that takes no history gets it as text", async () => {
  await using server = scriptedServer();
  const client = new CodexClient({ transport: olderServer(server.transport) });
  await using codex = createCodex({ client });
  await generateText({ model: codex(), messages: conversation, allowSystemInMessages: true });
  assert.deepEqual(paramsOf(server, "thread/inject_items"), []);
  const [before, latest] = sent<Started>(server, "turn/start").input.map(({ text }) => text);
  assert.match(before ?? "", /User: What is in a\.txt\?\n\nAssistant: I look\.\n\nAssistant called read with/);
  assert.equal(latest, "And in b.txt?");
  await client.close();
});

/** The scripted server under an older version. */
function olderServer(inner: Transport): Transport {
  return {
    start: (sink) =>
      inner.start({
        message: (text) => sink.message(text.replace(`${codexVersion} (scripted)`, "0.118.0 (scripted)")),
        closed: (error) => sink.closed(error),
      }),
    send: (text) => inner.send(text),
    get buffered() {
      return inner.buffered;
    },
    drain: () => inner.drain(),
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    close: () => inner.close(),
  };
}

test("with a thread id the thread goes on, and only the newest message is sent", async () => {
  await using it = await fixture();
  const first = await generateText({ model: it.codex(), prompt: "One" });
  const threadId = String(first.providerMetadata?.codex?.threadId);
  it.server.turn({ text: "Two indeed." });
  const second = await generateText({
    model: it.codex(),
    messages: [{ role: "user", content: "One" }, ...first.response.messages, { role: "user", content: "Two" }],
    providerOptions: { codex: { threadId } },
  });
  assert.equal(second.text, "Two indeed.");
  assert.equal(second.providerMetadata?.codex?.threadId, threadId);
  assert.equal(paramsOf(it.server, "thread/start").length, 1);
  assert.equal(paramsOf(it.server, "thread/resume")[0]?.threadId, threadId);
  assert.deepEqual(paramsOf(it.server, "thread/inject_items"), []);
  assert.deepEqual(
    sent<Started>(it.server, "turn/start", 1).input.map(({ text }) => text),
    ["Two"],
  );
});

test("a thread that the program follows itself is still followed after a call on it", async () => {
  await using it = await fixture();
  await it.client.connect();
  const thread = await it.client.thread();
  await generateText({ model: it.codex(), prompt: "Go", providerOptions: { codex: { threadId: thread.id } } });
  assert.equal((await thread.run("And on")).agentMessage, "ok");
  assert.deepEqual(paramsOf(it.server, "thread/unsubscribe"), []);
});

test("other tools on a thread that goes on are warned of: it keeps those it was started with", async () => {
  await using it = await fixture();
  const tools = { look: withoutExecute() };
  const first = await generateText({ model: it.codex(), prompt: "One", tools });
  const providerOptions = { codex: { threadId: String(first.providerMetadata?.codex?.threadId) } };
  const same = await generateText({ model: it.codex(), prompt: "Two", tools, providerOptions });
  assert.deepEqual(same.warnings, []);
  const others = { ...tools, listen: withoutExecute() };
  const other = await generateText({ model: it.codex(), prompt: "Three", tools: others, providerOptions });
  assert.equal(other.warnings?.[0]?.type, "compatibility");
});

test("pictures and text files are input; other files are refused with a remedy", async () => {
  await using it = await fixture();
  const send = (...content: Extract<ModelMessage, { role: "user" }>["content"][]) =>
    generateText({ model: it.codex(), messages: content.map((each) => ({ role: "user", content: each })) });
  await send([
    { type: "text", text: "Look" },
    { type: "image", image: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]) },
    { type: "image", image: new URL("https://example.com/a.jpg") },
    { type: "file", data: new URL("file:///tmp/a%20b.png"), mediaType: "image/png" },
    { type: "file", data: Buffer.from("grün").toString("base64"), mediaType: "text/plain", filename: "note.txt" },
  ]);
  const [turn] = paramsOf(it.server, "turn/start");
  assert.deepEqual(turn?.input, [
    { type: "text", text: "Look", text_elements: [] },
    { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" },
    { type: "image", url: "https://example.com/a.jpg" },
    { type: "localImage", path: "/tmp/a b.png" },
    { type: "text", text: "note.txt:\n\ngrün", text_elements: [] },
  ]);
  await assert.rejects(
    send([{ type: "file", data: "AAAA", mediaType: "application/pdf" }]),
    /Codex does not take a file of type application\/pdf.*put it into the thread's folder/,
  );
});
