import assert from "node:assert/strict";
import { test } from "node:test";
import { record, ToolResult, tool } from "@quire/agent";
import { renderValue } from "@quire/agent/tools";
import { tool as clientTool, type ToolContext } from "@quire/client";
import { bridgeOf } from "../support/bridge.ts";
import { memoryLogger } from "../support/log.ts";

async function answer(result: unknown) {
  await using bridge = await bridgeOf({ tools: [tool({ name: "t", description: "T", run: () => result })] });
  return await bridge.call("t");
}

test("2.7: results are made with a value, or with why there is none", () => {
  assert.deepEqual(ToolResult.ok({ a: 1 }), {
    message: "OK",
    value: { a: 1 },
    success: true,
    excludeValueFromContext: false,
    images: [],
  });
  assert.deepEqual([ToolResult.ok().value, ToolResult.ok(1, "Done").message], [null, "Done"]);
  assert.equal(ToolResult.ok(1, { excludeValueFromContext: true }).excludeValueFromContext, true);
  const failure = ToolResult.error("no");
  assert.deepEqual([failure.success, failure.value, failure.message], [false, null, "no"]);
});

test("2.8: the model reads the value, or the message where there is no value to read or it is kept from it", async () => {
  assert.equal((await answer(ToolResult.ok({ a: 1 }, "Done"))).text, '{"a":1}');
  assert.equal((await answer(ToolResult.ok(null, "Done"))).text, "Done");
  assert.equal((await answer(ToolResult.ok("", "Done"))).text, "Done");
  assert.equal(
    (await answer(ToolResult.ok({ a: 1 }, { message: "Done", excludeValueFromContext: true }))).text,
    "Done",
  );
  const { success, text } = await answer(ToolResult.error("no such thing"));
  assert.deepEqual([success, text], [false, "no such thing"]);
});

test("2.7: a tool may return what tools of the client return: text, parts, JSON or nothing", async () => {
  assert.equal((await answer("text")).text, "text");
  assert.equal((await answer({ a: 1 })).text, '{"a":1}');
  assert.equal((await answer(undefined)).text, "OK");
  const parts = [
    { type: "text", text: "seen" },
    { type: "image", data: new Uint8Array([0]), mimeType: "image/png" },
  ];
  assert.deepEqual((await answer(parts)).contentItems, [
    { type: "inputText", text: "seen" },
    { type: "inputImage", imageUrl: "data:image/png;base64,AA==" },
  ]);
});

test("2.1, 2.5: a tool of the client works in a prompt, and knows its call", async () => {
  const run = (_: unknown, { callId, threadId, turnId }: ToolContext) => [callId, threadId, turnId].join();
  const own = clientTool({ name: "own", description: "Own", namespace: "mine", run });
  await using bridge = await bridgeOf({ tools: [tool(own)] });
  assert.equal((await bridge.call("own")).text, "call-1,thread-1,turn-1");
  assert.equal((await bridge.bridge.specs())[0]?.namespace, "mine");
});

test("2.9: each kind of value has its text", () => {
  const { lines, logger } = memoryLogger();
  const Plain = record<{ a: number | null; b: { c: null; d: number } }>("test.plain");
  const Drawn = record<{ a: number }>("test.drawn", undefined, { render: ({ a }) => `drawn ${a}` });
  const own = { a: 1, render: () => "own text" };
  const cases: [unknown, string][] = [
    [null, ""],
    [undefined, ""],
    ["text", "text"],
    [5, "5"],
    [false, "false"],
    [own, "own text"],
    [Drawn({ a: 1 }), "drawn 1"],
    [{ a: null }, '{"a":null}'],
    [new Map([["a", 1]]), '{"a":1}'],
    [[1, { a: 2 }, null], '[1,{"a":2},null]'],
    [new Set([1, 2]), "[1,2]"],
    [[own, Drawn({ a: 2 }), "x"], "own text\n\ndrawn 2\n\nx"],
    [[], "[]"],
    [new Uint8Array([104, 105, 0xff]), "hi\ufffd"],
    [new Uint8Array([104, 105]).buffer, "hi"],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ];
  for (const [value, text] of cases) assert.equal(renderValue(value, logger), text);
  assert.deepEqual(lines, []);
  assert.equal(renderValue(Plain({ a: null, b: { c: null, d: 1 } }), logger), '{"b":{"d":1}}');
  assert.deepEqual(lines, ['Records of type "test.plain" have no render(): the model reads JSON']);
});

test("5.7: pictures go to the model beside the text", async () => {
  const { success, contentItems } = await answer(ToolResult.ok("seen", { images: ["data:image/png;base64,AA=="] }));
  assert.equal(success, true);
  assert.deepEqual(contentItems, [
    { type: "inputText", text: "seen" },
    { type: "inputImage", imageUrl: "data:image/png;base64,AA==" },
  ]);
});
