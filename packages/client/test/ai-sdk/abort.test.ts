import assert from "node:assert/strict";
import { test } from "node:test";
import { gate } from "@quire/testkit";
import { generateText, streamText } from "ai";
import { all, fixture, paramsOf } from "./fixture.ts";

test("aborting streamText interrupts the turn on the server", async () => {
  await using it = await fixture();
  it.server.turn({
    items: [
      { type: "message", text: "Begun" },
      { type: "wait", until: gate() },
    ],
    text: "never",
  });
  const abort = new AbortController();
  const result = streamText({ model: it.codex(), prompt: "Work", abortSignal: abort.signal });
  const types: string[] = [];
  for await (const part of result.fullStream) {
    types.push(part.type);
    if (part.type === "text-end") abort.abort();
  }
  assert.equal(types.at(-1), "abort");
  const { params } = await it.server.waitFor("turn/interrupt");
  assert.equal((params as { threadId: string }).threadId, paramsOf(it.server, "turn/start")[0]?.threadId);
});

test("aborting generateText rejects with the reason, once the turn has ended", async () => {
  await using it = await fixture();
  it.server.turn({ items: [{ type: "wait", until: gate() }] });
  const abort = new AbortController();
  const reason = new Error("enough");
  const result = generateText({ model: it.codex(), prompt: "Work", abortSignal: abort.signal, maxRetries: 0 });
  await it.server.waitFor("turn/start");
  abort.abort(reason);
  await assert.rejects(result, reason);
  assert.equal(paramsOf(it.server, "turn/interrupt").length, 1);
});

test("a signal that is aborted already starts nothing", async () => {
  await using it = await fixture();
  const abortSignal = AbortSignal.abort(new Error("too late"));
  await assert.rejects(generateText({ model: it.codex(), prompt: "Work", abortSignal, maxRetries: 0 }), /too late/);
  assert.deepEqual(paramsOf(it.server, "thread/start"), []);
});

test("a stream that is no longer read interrupts the turn", async () => {
  await using it = await fixture();
  it.server.turn({ items: [{ type: "wait", until: gate() }] });
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Work" }] }];
  const { stream } = await it.codex().doStream({ prompt });
  await stream.cancel();
  await it.server.waitFor("turn/interrupt");
});

test("closing the provider stops its turns and leaves the client that it was given", async () => {
  await using it = await fixture();
  it.server.turn({ items: [{ type: "wait", until: gate() }] });
  const result = streamText({ model: it.codex(), prompt: "Work", onError: () => undefined });
  const parts = all(result.fullStream);
  await it.server.waitFor("turn/start");
  await it.codex.close();
  await it.server.waitFor("turn/interrupt");
  assert.ok((await parts).some(({ type }) => type === "error"));
  assert.equal(it.client.state, "ready");
  await assert.rejects(generateText({ model: it.codex(), prompt: "Work", maxRetries: 0 }), /provider was closed/);
});
