import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonSchema, type Tool, type ToolContext, tool } from "@quire/client";
import { callTool } from "@quire/client/tools";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

const ids = { callId: "call-1", threadId: "thread-1", turnId: "turn-1" };
const { signal } = new AbortController();

function call(tools: Iterable<Tool>, name: string, input: unknown, more: object = {}) {
  return callTool(tools, { ...ids, tool: name, arguments: input, ...more }, signal);
}

const text = (success: boolean, content: string) => ({ success, contentItems: [{ type: "inputText", text: content }] });
const returning = (result: unknown): Tool =>
  tool({ name: "t", description: "", input: { type: "object" }, run: () => result });

test("what a tool gives back reaches the model as text, picture or JSON", async () => {
  const result = async (value: unknown) => {
    const reply = await call([returning(value)], "t", {});
    assert.equal(reply.success, true);
    return reply.contentItems;
  };
  const json = async (value: unknown) => ((await result(value))[0] as { text: string }).text;
  assert.deepEqual(await result("plain"), [{ type: "inputText", text: "plain" }]);
  assert.deepEqual(await result({ type: "image", url: "https://x/y.png" }), [
    { type: "inputImage", imageUrl: "https://x/y.png" },
  ]);
  const bytes = new Uint8Array(100_000).map((_, index) => index % 256);
  assert.deepEqual(
    await result([
      { type: "text", text: "look:" },
      { type: "image", data: bytes, mimeType: "image/png" },
      { type: "image", data: "AAEC", mimeType: "image/gif" },
    ]),
    [
      { type: "inputText", text: "look:" },
      { type: "inputImage", imageUrl: `data:image/png;base64,${Buffer.from(bytes).toString("base64")}` },
      { type: "inputImage", imageUrl: "data:image/gif;base64,AAEC" },
    ],
  );
  assert.equal(await json({ data: { viewer: { id: "usr_123" } } }), '{"data":{"viewer":{"id":"usr_123"}}}');
  assert.equal(await json([]), "[]");
  assert.equal(await json(null), "null");
  assert.equal(await json(undefined), "");
  assert.equal(await json({ type: "text", text: "with", more: 1 }), '{"type":"text","text":"with","more":1}');
});

test("arguments that do not fit never reach the tool, and the model learns why", async () => {
  const schemas = {
    zod: z.object({ city: z.string() }),
    valibot: v.object({ city: v.string() }),
    arktype: type({ city: "string" }),
    json: jsonSchema<{ city: string }>({
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
    }),
  };
  for (const [name, input] of Object.entries(schemas)) {
    const seen: unknown[] = [];
    const one = tool({ name: "weather", description: "", input, run: (value) => void seen.push(value) });
    const refused = await call([one], "weather", { city: 5 });
    assert.equal(refused.success, false, name);
    const [item] = refused.contentItems;
    assert.ok(item?.type === "inputText");
    assert.match(item.text, /^Invalid arguments for tool "weather":\n- city: /, name);
    assert.deepEqual(seen, [], name);
    assert.equal((await call([one], "weather", { city: "Ulm" })).success, true, name);
    assert.deepEqual(seen, [{ city: "Ulm" }], name);
  }
});

test("a tool gets what its schema made of the arguments, and the call that it is", async () => {
  let seen: [unknown, ToolContext] | undefined;
  const one = tool({
    name: "t",
    description: "",
    input: z.object({ at: z.string().transform((value) => new Date(value)), tries: z.number().default(3) }),
    run: (...args) => {
      seen = args;
    },
  });
  await call([one], "t", { at: "2026-01-01" });
  assert.deepEqual(seen, [
    { at: new Date("2026-01-01"), tries: 3 },
    { ...ids, signal },
  ]);
});

test("a tool that throws, now or later, fails its call with the message and nothing else", async () => {
  const failing = (run: () => unknown) => tool({ name: "t", description: "", input: { type: "object" }, run });
  const thrower = failing(() => {
    throw new Error("no such city");
  });
  assert.deepEqual(await call([thrower], "t", {}), text(false, "no such city"));
  assert.deepEqual(await call([failing(() => Promise.reject("offline"))], "t", {}), text(false, "offline"));
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  assert.equal((await call([returning(circular)], "t", {})).success, false);
});

test("an unknown tool is answered in the words that clients look for", async () => {
  const reply = await call([returning("")], "linear", {});
  assert.deepEqual(reply, text(false, 'Unsupported dynamic tool "linear": supported are t'));
  assert.deepEqual(await call([], "x", {}), text(false, 'Unsupported dynamic tool "x": there are none'));
});

test("a tool is found in its namespace, and by a server that knows none", async () => {
  const make = (namespace: string | undefined, result: string) =>
    tool({ name: "a", description: "", input: { type: "object" }, namespace, run: () => result });
  const both = [make("n", "in n"), make(undefined, "free")];
  assert.deepEqual(await call(both, "a", {}), text(true, "free"));
  assert.deepEqual(await call(both, "a", {}, { namespace: null }), text(true, "free"));
  assert.deepEqual(await call(both, "a", {}, { namespace: "n" }), text(true, "in n"));
  assert.deepEqual(await call([make("n", "in n")], "a", {}), text(true, "in n"));
  assert.deepEqual(
    await call(both, "a", {}, { namespace: "m" }),
    text(false, 'Unsupported dynamic tool "m.a": supported are n.a, a'),
  );
});

test("tools run at the same time", async () => {
  const waiting: (() => void)[] = [];
  const meeting = tool({
    name: "meet",
    description: "",
    input: { type: "object" },
    run: async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const go of waiting) go();
      });
      return "met";
    },
  });
  const replies = await Promise.all([1, 2, 3].map(() => call([meeting], "meet", {})));
  assert.deepEqual(
    replies,
    [1, 2, 3].map(() => text(true, "met")),
  );
});

test("a call whose turn has ended settles at once, even if the tool does not listen", async () => {
  const aborter = new AbortController();
  const deaf = tool({ name: "t", description: "", input: { type: "object" }, run: () => new Promise(() => {}) });
  const pending = callTool([deaf], { ...ids, tool: "t", arguments: {} }, aborter.signal);
  aborter.abort(new Error("the turn has ended"));
  assert.deepEqual(await pending, text(false, "the turn has ended"));

  let isRun = false;
  const late = tool({ name: "t", description: "", input: { type: "object" }, run: () => (isRun = true) });
  assert.equal((await callTool([late], { ...ids, tool: "t", arguments: {} }, aborter.signal)).success, false);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(isRun, false);
});
