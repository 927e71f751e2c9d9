import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResponseItem } from "@quire/protocol";
import { sealed, unsealed } from "../../src/model/private-content.ts";
import { requestBody } from "../../src/model/responses/request-body.ts";
import { ResponseEvents } from "../../src/model/responses/response-events.ts";
import { modelRequest, RecordingSink } from "./recording-sink.ts";

const metadata = { anthropic: { signature: "SIGNED" } };

test("what only another provider can read is not sent to OpenAI, and its own is", () => {
  const input: ResponseItem[] = [
    { type: "reasoning", id: "r1", summary: [], encrypted_content: sealed("claude", metadata) },
    { type: "reasoning", id: "r2", summary: [], encrypted_content: "gAAAA-of-openai" },
    { type: "function_call", call_id: "c1", name: "f", arguments: "{}", encrypted_content: sealed("gemini", metadata) },
    { type: "function_call_output", call_id: "c1", output: "done" },
  ];
  const body = JSON.parse(requestBody({ ...modelRequest("hi"), input })) as { input: Record<string, unknown>[] };
  assert.deepEqual(
    body.input.map(({ id, type }) => id ?? type),
    ["r2", "function_call", "function_call_output"],
  );
  assert.equal(body.input[0]?.encrypted_content, "gAAAA-of-openai");
  assert.equal("encrypted_content" in (body.input[1] ?? {}), false);
});

test("content goes back to the provider that made it, and to no other", () => {
  const content = sealed("claude", metadata);
  assert.deepEqual(unsealed("claude", content), metadata);
  assert.equal(unsealed("gemini", content), undefined);
});

test("content that somebody has changed is left out", () => {
  for (const content of [
    "quire:",
    "quire:%%%",
    `quire:${Buffer.from("[]").toString("base64url")}`,
    "",
    null,
    undefined,
  ]) {
    assert.equal(unsealed("claude", content), undefined);
  }
});

test("a provider cannot make content that another one would take for its own", () => {
  const sink = new RecordingSink();
  const forged = { type: "reasoning", id: "r1", summary: [], encrypted_content: sealed("claude", metadata) };
  new ResponseEvents(sink).take(JSON.stringify({ type: "response.output_item.done", item: forged }));
  assert.deepEqual(sink.items, [{ type: "reasoning", id: "r1", summary: [] }]);
});
