import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DynamicToolSpec } from "@quire/protocol";
import { checkDynamicTools } from "../../src/tools/check-dynamic-tools.ts";
import { FakeThread } from "./fake-context.ts";

const inputSchema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const lookup = { type: "function", name: "lookup", description: "Looks up tickets", inputSchema } as const;
const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function withTools(dynamicTools: readonly DynamicToolSpec[], answer: () => unknown = () => undefined): FakeThread {
  const thread = new FakeThread("/tmp", { dynamicTools });
  thread.answer = async () => answer();
  return thread;
}

describe("dynamic tools", () => {
  test("the client answers a call, and the model gets the text", async () => {
    const thread = withTools([lookup], () => ({ contentItems: [{ type: "inputText", text: "found" }], success: true }));
    assert.equal(await thread.call("lookup", { id: "A" }), "found");
    assert.deepEqual(thread.all("item/tool/call"), [
      { callId: "call-1", namespace: null, tool: "lookup", arguments: { id: "A" } },
    ]);
    const [started] = thread.all("started");
    assert.equal(started.type, "dynamicToolCall");
    assert.deepEqual(started.arguments, { id: "A" });
    const [completed] = thread.all("completed");
    assert.equal(completed.status, "completed");
    assert.equal(completed.success, true);
    assert.deepEqual(completed.contentItems, [{ type: "inputText", text: "found" }]);
  });

  test("images reach the model, and one that is none is named instead", async () => {
    const items = [
      { type: "inputText", text: "two" },
      { type: "inputImage", imageUrl: pixel },
      { type: "inputImage", imageUrl: "data:image/png;base64,AAAA" },
    ];
    const thread = withTools([lookup], () => ({ contentItems: items, success: true }));
    assert.deepEqual(await thread.call("lookup", { id: "A" }), [
      { type: "input_text", text: "two" },
      { type: "input_image", image_url: pixel, detail: "high" },
      { type: "input_text", text: "image content omitted because it could not be processed" },
    ]);
  });

  test("more than the model has room for is cut, for it would be sent with every later request; the client's item has all", async () => {
    const long = { type: "inputText", text: "x".repeat(3_000_000) };
    const one = withTools([lookup], () => ({ contentItems: [long], success: true }));
    assert.match(String(await one.call("lookup", { id: "A" })), /^x{6000}…747000 tokens truncated…x{6000}$/);
    assert.deepEqual(one.all("completed")[0].contentItems, [long]);
    const image = { type: "inputImage", imageUrl: pixel };
    const many = withTools([lookup], () => ({
      contentItems: [{ ...long, text: "short" }, long, long, image],
      success: true,
    }));
    const told = (await many.call("lookup", { id: "A" })) as { type: string; text?: string }[];
    assert.deepEqual(
      told.map(({ type, text }) => text?.replace(/x+/g, "x") ?? type),
      ["short", "x…747002 tokens truncated…x", "input_image", "[omitted 1 text items ...]"],
    );
  });

  test("an image by the address of a web server is refused, as in a user's input", async () => {
    const items = [{ type: "inputImage", imageUrl: "https://example.com/x.png" }];
    const thread = withTools([lookup], () => ({ contentItems: items, success: true }));
    assert.match(String(await thread.call("lookup", { id: "A" })), /^remote image URLs are not supported/);
    assert.equal(thread.all("completed")[0].status, "failed");
  });

  test("a tool that reports failure ends as failed and the model reads why", async () => {
    const thread = withTools([lookup], () => ({ contentItems: [{ type: "inputText", text: "no" }], success: false }));
    assert.equal(await thread.call("lookup", { id: "A" }), "no");
    assert.equal(thread.all("completed")[0].status, "failed");
  });

  test("an error reply and a malformed reply are told to the model", async () => {
    const refused = withTools([lookup], () => {
      throw new Error("client says no");
    });
    assert.equal(await refused.call("lookup", { id: "A" }), "dynamic tool request failed");
    assert.equal(refused.all("completed")[0].success, false);
    for (const nonsense of [{ nonsense: 1 }, "text", null, { contentItems: [{ type: "x" }], success: true }]) {
      const thread = withTools([lookup], () => nonsense);
      assert.equal(await thread.call("lookup", { id: "A" }), "dynamic tool response was invalid");
      assert.equal(thread.all("completed")[0].status, "failed");
    }
  });

  test("an interrupt ends the item as failed", async () => {
    const thread = new FakeThread("/tmp", { dynamicTools: [lookup] });
    const call = thread.call("lookup", { id: "A" });
    thread.abort.abort(new Error("interrupted"));
    assert.equal(await call, "dynamic tool call was cancelled before receiving a response");
    assert.equal(thread.all("completed")[0].status, "failed");
    assert.deepEqual(thread.all("completed")[0].contentItems, []);
  });

  test("arguments that are no JSON make no item", async () => {
    const thread = withTools([lookup]);
    assert.match(await thread.failure("lookup", "not json"), /^failed to parse function arguments: /);
    assert.deepEqual(thread.told, []);
  });

  test("a namespace is offered as one and its tools are found within it alone", () => {
    const thread = withTools([{ type: "namespace", name: "tickets", description: "Tickets", tools: [lookup] }]);
    const spec = thread.toolbox.specs(thread.settings).find(({ name }) => name === "tickets");
    assert.ok(spec);
    assert.equal(spec.type, "namespace");
    assert.equal((spec.tools as unknown[]).length, 1);
    const call = { kind: "function", callId: "c", name: "lookup", arguments: "{}" } as const;
    assert.ok(thread.toolbox.find({ ...call, namespace: "tickets" }));
    assert.equal(thread.toolbox.find({ ...call, namespace: null }), undefined);
  });

  test("deferred tools are offered once the model has found them", async () => {
    const tools = [
      { ...lookup, deferLoading: true },
      { ...lookup, name: "weather", description: "Tells the weather of a city", deferLoading: true },
    ];
    const thread = withTools([{ type: "namespace", name: "things", description: "Various", tools }]);
    const names = () => thread.toolbox.specs(thread.settings).map(({ name, type }) => name ?? type);
    assert.ok(!names().includes("things"));
    assert.ok(names().includes("tool_search"));
    assert.deepEqual(JSON.parse(await thread.call("tool_search", { query: "zebra" })), { tools: [] });
    const found = JSON.parse(await thread.call("tool_search", { query: "ticket", limit: 3 }));
    assert.equal(found.tools[0].name, "things");
    assert.deepEqual(
      found.tools[0].tools.map((tool: { name: string }) => tool.name),
      ["lookup"],
    );
    const offered = thread.toolbox.specs(thread.settings).find(({ name }) => name === "things");
    assert.ok(offered);
    assert.deepEqual(
      (offered.tools as { name: string }[]).map(({ name }) => name),
      ["lookup"],
    );
  });

  test("a client's tool does not take the place of one of ours", () => {
    const thread = withTools([{ ...lookup, name: "exec_command" }]);
    const specs = thread.toolbox.specs(thread.settings).filter(({ name }) => name === "exec_command");
    assert.equal(specs.length, 1);
    assert.notEqual(specs[0]?.description, lookup.description);
  });

  test("a client's tool for patches is offered and called where the model is offered none of ours", async () => {
    const thread = withTools([{ ...lookup, name: "apply_patch" }], () => ({
      contentItems: [{ type: "inputText", text: "the client's" }],
      success: true,
    }));
    const offered = thread.toolbox.specs(thread.settings).filter(({ name }) => name === "apply_patch");
    assert.deepEqual(
      offered.map(({ description }) => description),
      [lookup.description],
    );
    assert.equal(await thread.call("apply_patch", { id: "A" }), "the client's");
  });
});

describe("checkDynamicTools", () => {
  const check = (...specs: unknown[]) => checkDynamicTools(specs as DynamicToolSpec[]);

  test("specs that no endpoint would take are refused with the reason", () => {
    assert.equal(check(lookup), undefined);
    assert.equal(check({ ...lookup, name: "" }), "dynamic tool name must not be empty");
    assert.match(
      check({ ...lookup, name: "bad name!" }) ?? "",
      /must match \^\[a-zA-Z0-9_-\]\+\$ to match Responses API: bad name!$/,
    );
    assert.match(check({ ...lookup, name: "x".repeat(129) }) ?? "", /must be at most 128 characters/);
    assert.equal(check(lookup, lookup), "duplicate dynamic tool name: lookup");
    assert.match(
      check({ ...lookup, inputSchema: 5 }) ?? "",
      /^dynamic tool input schema is not supported for lookup: invalid type: number/,
    );
    assert.equal(check({ ...lookup, deferLoading: true }), "deferred dynamic tool must include a namespace: lookup");
    const group = { type: "namespace", name: "n", description: "d" };
    assert.equal(check({ ...group, tools: [] }), "dynamic tool namespace must contain at least one tool: n");
    assert.equal(check({ ...group, name: "mcp__x", tools: [lookup] }), "dynamic tool namespace is reserved: mcp__x");
    assert.equal(check({ ...group, tools: [{ ...lookup, deferLoading: true }] }, lookup), undefined);
  });
});
