import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mockResponses } from "@quire/testkit";
import { userInput } from "./sse-client.ts";

const tool = { type: "function", name: "exec_command", parameters: { type: "object", properties: {} } };
const call = { type: "function_call", call_id: "c1", name: "exec_command", arguments: "{}" };
const output = { type: "function_call_output", call_id: "c1", output: "done" };

/** Requests that an endpoint of open models refuses, and the word by which its answer names the reason. */
const refused: readonly [string, object, RegExp][] = [
  ["a namespace of tools", { tools: [{ type: "namespace", name: "n", tools: [tool] }] }, /tools\[0\]\.type/],
  ["a hosted tool", { tools: [tool, { type: "web_search" }] }, /tools\[1\]\.type/],
  ["a freeform tool", { tools: [{ type: "custom", name: "apply_patch" }] }, /'custom'/],
  ["an illegal name", { tools: [{ ...tool, name: "mcp.tool" }] }, /tools\[0\]\.name/],
  ["a name that is too long", { tools: [{ ...tool, name: "x".repeat(65) }] }, /tools\[0\]\.name/],
  ["an unknown field of a tool", { tools: [{ ...tool, defer_loading: true }] }, /defer_loading/],
  ["an unknown field", { prompt_cache_key: "t1" }, /prompt_cache_key/],
  ["an unknown role", { input: [{ role: "developer", content: "be brief" }] }, /'developer'/],
  ["instructions in the middle", { input: [userInput("hi"), { role: "system", content: "x" }] }, /at the beginning/],
  ["a role twice in a row", { input: [userInput("hi"), userInput("hello")] }, /roles must alternate/],
  ["a call without its output", { input: [userInput("hi"), call] }, /No tool output found for function call c1/],
  ["an output without its call", { input: [output, call] }, /No tool call found/],
  ["arguments that are no object", { input: [{ ...call, arguments: "ls" }, output] }, /arguments/],
  ["an unknown kind of item", { input: [{ type: "custom_tool_call", call_id: "c" }] }, /custom_tool_call/],
  ["a field of OpenAI's items", { input: [{ ...call, namespace: "n" }, output] }, /namespace/],
];

const custom = { type: "custom", name: "apply_patch", format: { type: "text" } };
const patch = { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin Patch" };
const patched = { type: "custom_tool_call_output", call_id: "c2", output: "done" };

/** Requests that OpenAI refuses. */
const refusedByOpenai: readonly [string, object, RegExp][] = [
  ["an unknown type of tool", { tools: [{ type: "plugin", name: "x" }] }, /tools\[0\]\.type/],
  [
    "an illegal name in a namespace",
    { tools: [{ type: "namespace", name: "n", tools: [{ ...tool, name: "a.b" }] }] },
    /tools\[0\]\.tools\[0\]\.name/,
  ],
  ["an unknown role", { input: [{ role: "tool", content: "x" }] }, /'tool'/],
  ["an unknown field", { messages: [] }, /messages/],
  ["an unknown kind of item", { input: [{ type: "thought" }] }, /'thought'/],
  ["a call without its output", { input: [userInput("hi"), call] }, /No tool output found for function call c1/],
  ["a patch without its output", { input: [userInput("hi"), patch] }, /No tool output found for custom tool call c2/],
  ["an output without its call", { input: [patched] }, /No tool call found for custom tool call output/],
];

describe("a strict mock of OpenAI's own endpoint", () => {
  for (const [name, body, expected] of refusedByOpenai) {
    test(`refuses ${name}`, async () => {
      await using mock = await mockResponses({ strict: "openai" });
      const response = await ask(mock.url, body);
      assert.equal(response.status, 400);
      assert.match(await response.text(), expected);
      assert.equal(mock.refused.length, 1);
    });
  }

  test("answers a request of all that OpenAI knows", async () => {
    await using mock = await mockResponses({ strict: "openai" });
    const tools = [tool, custom, { type: "web_search" }, { type: "namespace", name: "n", tools: [tool] }];
    const input = [{ role: "developer", content: "be brief" }, userInput("hi"), call, output, patch, patched];
    const response = await ask(mock.url, { tools, input, prompt_cache_key: "t", include: [] });
    assert.equal(response.status, 200);
    assert.deepEqual(mock.refused, []);
  });
});

describe("a strict mock of the Responses API", () => {
  for (const [name, body, expected] of refused) {
    test(`refuses ${name}`, async () => {
      await using mock = await mockResponses({ strict: true });
      const response = await ask(mock.url, body);
      assert.equal(response.status, 400);
      const { error } = (await response.json()) as { error: { message: string; type: string } };
      assert.match(JSON.stringify(error), expected);
      assert.equal(error.type, "invalid_request_error");
      assert.equal(mock.refused.length, 1);
    });
  }

  test("answers a request of functions with their outputs", async () => {
    await using mock = await mockResponses({ strict: true });
    const response = await ask(mock.url, { tools: [tool], input: [userInput("hi"), call, output] });
    assert.equal(response.status, 200);
    assert.match(await response.text(), /response\.completed/);
    assert.deepEqual(mock.refused, []);
  });
});

function ask(url: string, body: object): Promise<Response> {
  return fetch(`${url}/responses`, {
    method: "POST",
    body: JSON.stringify({ model: "m", stream: true, input: [userInput("hi")], ...body }),
  });
}
