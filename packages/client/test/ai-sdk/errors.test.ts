import assert from "node:assert/strict";
import { test } from "node:test";
import { APICallError, NoSuchModelError } from "@ai-sdk/provider";
import { TurnError } from "@quire/client";
import { RpcError } from "@quire/jsonrpc";
import { gate } from "@quire/testkit";
import { generateText, streamText } from "ai";
import { all, fixture, paramsOf } from "./fixture.ts";

async function failure(run: PromiseLike<unknown>): Promise<APICallError> {
  const error = await Promise.resolve(run).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(APICallError.isInstance(error), `not an APICallError: ${error}`);
  return error;
}

test("a failed turn is an APICallError with the status, and the cause tells the rest", async () => {
  await using it = await fixture();
  const codexErrorInfo = { httpConnectionFailed: { httpStatusCode: 502 } };
  it.server.turn({ error: { message: "bad gateway", codexErrorInfo } });
  const error = await failure(generateText({ model: it.codex(), prompt: "Work", maxRetries: 0 }));
  assert.equal(error.message, "bad gateway");
  assert.equal(error.statusCode, 502);
  assert.equal(error.isRetryable, true);
  assert.deepEqual((error.data as { codexErrorInfo: unknown }).codexErrorInfo, codexErrorInfo);
  assert.ok(TurnError.is(error.cause));
});

test("a failure that may pass is tried again by the AI SDK", async () => {
  await using it = await fixture();
  it.server.turn({ error: { message: "overloaded", codexErrorInfo: "serverOverloaded" } }, { text: "There." });
  const { text } = await generateText({ model: it.codex(), prompt: "Work", maxRetries: 1 });
  assert.equal(text, "There.");
  assert.equal(paramsOf(it.server, "turn/start").length, 2);
});

test("what has run a command is not run again", async () => {
  await using it = await fixture();
  const error = { message: "overloaded", codexErrorInfo: "serverOverloaded" };
  it.server.turn({ items: [{ type: "command", command: "rm -r build" }], error });
  const thrown = await failure(generateText({ model: it.codex(), prompt: "Work", maxRetries: 3 }));
  assert.equal(thrown.isRetryable, false);
  assert.equal(thrown.statusCode, 503);
  assert.equal(paramsOf(it.server, "turn/start").length, 1);
});

test("no retry helps against a limit, a refused key or a refused request", async () => {
  await using it = await fixture();
  for (const [info, status] of [
    ["usageLimitExceeded", 429],
    ["unauthorized", 401],
    ["contextWindowExceeded", 400],
  ] as const) {
    it.server.turn({ error: { message: info, codexErrorInfo: info } });
    const error = await failure(generateText({ model: it.codex(), prompt: "Work", maxRetries: 0 }));
    assert.deepEqual([error.statusCode, error.isRetryable], [status, false]);
  }
  it.server.once("thread/start", new RpcError({ code: -32600, message: "no such model provider" }));
  const refused = await failure(generateText({ model: it.codex(), prompt: "Work", maxRetries: 0 }));
  assert.deepEqual([refused.message, refused.statusCode, refused.isRetryable], ["no such model provider", 400, false]);
});

test("a turn that fails while it is streamed ends the stream with the error", async () => {
  await using it = await fixture();
  it.server.turn({
    items: [{ type: "message", text: "Half" }],
    error: { message: "stream lost", codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: null } } },
  });
  const errors: unknown[] = [];
  const result = streamText({ model: it.codex(), prompt: "Work", onError: ({ error }) => void errors.push(error) });
  const parts = await all(result.fullStream);
  assert.ok(parts.some((part) => part.type === "text-delta" && part.text === "Half"));
  assert.equal(await result.finishReason, "error");
  assert.equal(await result.rawFinishReason, "responseStreamDisconnected");
  assert.ok(APICallError.isInstance(errors[0]));
});

test("a turn that somebody else interrupts ends as other", async () => {
  await using it = await fixture();
  it.server.turn({
    items: [
      { type: "message", text: "Half" },
      { type: "wait", until: gate() },
    ],
  });
  let turnId = "";
  it.client.on("turn:started", ({ id }) => {
    turnId = id;
  });
  const result = streamText({ model: it.codex(), prompt: "Work" });
  for await (const part of result.fullStream) {
    if (part.type !== "text-end") continue;
    const [started] = paramsOf(it.server, "turn/start");
    void it.client.interruptTurn(String(started?.threadId), turnId);
  }
  assert.equal(await result.finishReason, "other");
  assert.equal(await result.rawFinishReason, "interrupted");
});

test("other kinds of models are refused in the AI SDK's own terms", async () => {
  await using it = await fixture();
  assert.throws(
    () => it.codex.embeddingModel("x"),
    (error) => NoSuchModelError.isInstance(error),
  );
  assert.throws(
    () => it.codex.imageModel("x"),
    (error) => NoSuchModelError.isInstance(error),
  );
});
