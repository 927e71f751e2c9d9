/** What is left of a thread when its history is summarised. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedRequest } from "@quire/testkit";
import { reply } from "@quire/testkit";
import { input } from "../support/test-client.ts";
import { command, testHome, testServer, unattended } from "../support/test-server.ts";

const tooLong = reply().failed("context_length_exceeded", "too long");

/** What was said and done, as the request holds it, without the context before it and the question at its end. */
function history({ body }: RecordedRequest): string[] {
  const items = body.input.filter(({ role }) => role !== "developer").slice(1, -1);
  return items.map(({ type, content }) => (content as { text: string }[] | undefined)?.[0]?.text ?? String(type));
}

test("a thread that does not even fit to be summarised loses its oldest part, and goes on", async () => {
  await using server = await testServer();
  const threadId = await server.client.thread({ ...unattended, cwd: server.home });
  server.model.script(command("true"), reply().text("first"), reply().text("second"));
  for (const _ of [1, 2]) assert.equal((await server.client.turn(threadId)).status, "completed");

  // The turn does not fit, and the next one makes room first.
  server.model.script(tooLong, tooLong, tooLong, reply().text("THE SUMMARY"), reply().text("after"));
  assert.equal((await server.client.turn(threadId)).error?.codexErrorInfo, "contextWindowExceeded");
  assert.equal((await server.client.turn(threadId)).status, "completed");
  const [whole, less, least, next] = server.model.requests.slice(-4);
  assert.ok(whole && less && least && next);
  assert.deepEqual(history(whole), ["go", "function_call", "function_call_output", "first", "go", "second", "go"]);
  // No output is left whose call is gone.
  assert.deepEqual(history(less), ["first", "go", "second", "go"]);
  assert.deepEqual(history(least), ["go", "second", "go"]);
  assert.match(JSON.stringify(next.body.input), /THE SUMMARY/);
});

test("a thread of which nothing can be left out says that it does not fit", async () => {
  await using server = await testServer();
  const threadId = await server.client.thread({ ...unattended, cwd: server.home });
  server.model.fallback(tooLong);
  for (const requests of [1, 2]) {
    assert.equal((await server.client.turn(threadId)).error?.codexErrorInfo, "contextWindowExceeded");
    assert.equal(server.model.requests.length, requests);
  }
});

test("of a message that is longer than what is kept, a compaction keeps the beginning and the end", async () => {
  await using home = await testHome();
  const { client } = await home.open();
  const threadId = await client.thread();
  home.model.fallback(() => reply().text("ok"));
  const say = async (text: string) => {
    const { turn } = await client.request("turn/start", { threadId, input: input(text) });
    await client.waitFor("turn/completed", (told) => told.turn.id === turn.id);
  };
  await say("too old");
  await say(`BEGIN ${"word ".repeat(30_000)}END`);
  await say("the latest");
  home.model.script(reply().text("THE SUMMARY"));
  const ended = client.received.length;
  await client.request("thread/compact/start", { threadId });
  await client.waitFor("turn/completed", (told) => client.received.findIndex(({ params }) => params === told) >= ended);
  await say("go on");
  const items = home.model.requests.at(-1)?.body.input as { role: string; content: { text: string }[] }[];
  const texts = items.filter(({ role }) => role === "user").map(({ content }) => content[0]?.text ?? "");
  const [long, latest, summary, next] = texts.slice(-4);
  assert.match(long ?? "", /^BEGIN word .*…\d+ characters left out….* word END$/);
  assert.ok((long?.length ?? 0) < 81_000);
  assert.match(summary ?? "", /THE SUMMARY/);
  assert.deepEqual([latest, next], ["the latest", "go on"]);
  assert.ok(!texts.includes("too old"));
});

test("a model that calls a tool instead of writing the summary is asked again without tools", async () => {
  await using server = await testServer();
  const { client, model } = server;
  const threadId = await client.thread({ ...unattended, cwd: server.home });
  model.script(reply().text("one"), command("true"), reply().text("THE SUMMARY"), reply().text("after"));
  await client.turn(threadId);
  await client.request("thread/compact/start", { threadId });
  await model.waitForRequest(2);
  await client.find(
    ({ method, params }) => method === "turn/completed" && params.turn.id !== client.all("turn/started")[0]?.turn.id,
  );
  await client.turn(threadId);
  const [, first, second, next] = model.requests.map(({ body }) => body);
  assert.deepEqual([first?.tool_choice, second?.tool_choice, second?.tools], ["none", "auto", []]);
  assert.match(JSON.stringify(next?.input), /THE SUMMARY/);
});
