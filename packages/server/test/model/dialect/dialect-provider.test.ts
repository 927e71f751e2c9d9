import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { httpError, type MockResponses, mockResponses, reply, tempDir } from "@quire/testkit";
import type { ProviderConfig } from "../../../src/config/effective-config.ts";
import { knowsDialect } from "../../../src/model/dialect/knows-dialect.ts";
import { Failure } from "../../../src/model/failure.ts";
import { ModelError, type ModelRequest } from "../../../src/model/model-provider.ts";
import { refusesForm } from "../../../src/model/plain/refused-form.ts";
import { providerFor } from "../../../src/model/provider-for.ts";
import { message, text } from "../../../src/prompt/message.ts";
import { modelRequest, providerRow, RecordingSink } from "../recording-sink.ts";

const parameters = { type: "object", properties: {} };
const tools = [
  { type: "function", name: "exec_command", description: "Runs.", strict: false, parameters },
  { type: "namespace", name: "mcp__files", tools: [{ type: "function", name: "read", parameters }] },
  { type: "custom", name: "apply_patch", description: "Edits." },
  { type: "web_search", external_web_access: false },
];
const developer = (value: string) => message("developer", [text(value)]);
const user = (value: string) => message("user", [text(value)]);

/** Asks a provider as it is set up. */
async function ask(
  mock: MockResponses,
  row: Partial<ProviderConfig> & { home?: string } = {},
  more?: Partial<ModelRequest>,
) {
  const { home, ...config } = row;
  const sink = new RecordingSink();
  const notices: string[] = [];
  const heard = Object.assign(sink, { notice: ({ kind }: { kind: string }) => void notices.push(kind) });
  const request = modelRequest("hi", { tools, input: [developer("Be kind."), user("hi")], ...more });
  const provider = providerFor(providerRow(mock.url, config), { env: {}, home });
  await provider.stream(request, heard, new AbortController().signal);
  return { sink, notices };
}

test("an endpoint that refuses OpenAI's dialect is asked in the plain one, remembered, and told once", async () => {
  await using mock = await mockResponses({ strict: true });
  await using home = await tempDir();
  mock.script(reply().text("one"), reply().text("two"));
  const first = await ask(mock, { home: home.path });
  assert.equal(first.sink.text, "one");
  assert.deepEqual(first.notices, ["plainer"]);
  assert.equal(mock.refused.length, 1);
  const second = await ask(mock, { home: home.path });
  assert.equal(second.sink.text, "two");
  assert.deepEqual(second.notices, []);
  assert.equal(mock.refused.length, 1, "remembered");
  assert.match(readFileSync(join(home.path, "model-dialects.json"), "utf8"), /"mock http:\/\/127[^"]*": \{/);
  const { body } = mock.last;
  assert.deepEqual(
    body.tools?.map(({ type, name }) => `${type} ${name}`),
    ["function exec_command", "function mcp__files__read", "function apply_patch"],
  );
  assert.deepEqual(body.input, [
    { type: "message", role: "system", content: [{ type: "input_text", text: "Be kind." }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
  ]);
  assert.deepEqual(Object.keys(body).sort(), ["input", "model", "store", "stream", "tools"]);
});

test("a provider that is said to be plain is asked so from the first request on", async () => {
  await using mock = await mockResponses({ strict: true });
  const { notices } = await ask(mock, { dialect: "plain" });
  assert.deepEqual([notices, mock.refused], [[], []]);
});

test("hosted tools that the provider is said to have stay", async () => {
  await using mock = await mockResponses();
  await ask(mock, { dialect: "plain", hostedTools: ["web_search"] });
  assert.deepEqual(mock.last.body.tools?.at(-1), tools.at(-1));
});

test("every kind of item in a history is one that a strict endpoint takes", async () => {
  await using mock = await mockResponses({ strict: true });
  const picture = { type: "input_image", image_url: "data:image/png;base64,AA==" } as const;
  await ask(
    mock,
    { dialect: "plain" },
    {
      input: [
        developer("a"),
        developer("b"),
        user("look"),
        { type: "reasoning", id: "rs_0", summary: [], encrypted_content: "secret" },
        { type: "reasoning", id: "rs_x", summary: [], content: [{ type: "reasoning_text", text: "hm" }] },
        {
          type: "message",
          role: "assistant",
          id: "msg_x",
          phase: "commentary",
          content: [{ type: "output_text", text: "I look." }],
        },
        { type: "function_call", id: "fc_x", call_id: "1", name: "read", namespace: "mcp__files", arguments: "{}" },
        { type: "custom_tool_call", call_id: "2", name: "apply_patch", input: "*** Begin" },
        { type: "function_call", call_id: "3", name: "exec_command", arguments: "not json" },
        developer("a hook says no"),
        { type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "see" }, picture] },
        { type: "custom_tool_call_output", call_id: "2", output: "patched" },
        { type: "function_call_output", call_id: "3", output: "bad" },
        { type: "function_call_output", call_id: "orphan", output: "lost" },
        { type: "web_search_call", id: "ws_1", status: "completed" },
        { type: "compaction", encrypted_content: "secret" },
        user("more"),
      ],
    },
  );
  assert.deepEqual(mock.refused, []);
  const { input } = mock.last.body;
  assert.deepEqual(
    input.map(({ type, role }) => role ?? type),
    [
      "system",
      "user",
      "reasoning",
      "assistant",
      ...Array(3).fill("function_call"),
      ...Array(3).fill("function_call_output"),
      "user",
    ],
  );
  assert.deepEqual(input.at(-1)?.content, [
    { type: "input_text", text: "<instructions>\na hook says no\n</instructions>" },
    picture,
    { type: "input_text", text: "more" },
  ]);
  assert.doesNotMatch(JSON.stringify(mock.last.body), /secret|msg_x|fc_x|orphan|rs_x|phase/);
});

test("calls come back under the tools' own names, and a patch streams", async () => {
  await using mock = await mockResponses({ strict: true });
  const input = "*** Begin Patch\n*** End Patch";
  mock.script(
    reply()
      .functionCall("mcp__files__read", { path: "a" }, { callId: "c1" })
      .functionCall("apply_patch", { input }, { callId: "c2" }),
  );
  const { sink } = await ask(mock, { dialect: "plain" });
  const [read, patch] = sink.items as unknown as Record<string, unknown>[];
  assert.deepEqual([read?.type, read?.namespace, read?.name], ["function_call", "mcp__files", "read"]);
  assert.deepEqual([patch?.type, patch?.name, patch?.input], ["custom_tool_call", "apply_patch", input]);
  const streamed = sink.calls.filter(([kind]) => kind === "toolInput").map(([, , , delta]) => delta);
  assert.equal(streamed.join(""), input);
});

test("a field that a plain endpoint refuses by name is left out from then on", async () => {
  await using mock = await mockResponses();
  await using home = await tempDir();
  const unknown = (name: string) =>
    httpError(400, { error: { message: `Unknown parameter: '${name}'.`, param: name } });
  mock.script(unknown("client_metadata"), unknown("store"), unknown("reasoning"), reply().text("at last"));
  const { sink } = await ask(mock, { home: home.path }, { effort: "high" });
  assert.equal(sink.text, "at last");
  await ask(mock, { home: home.path }, { effort: "high" });
  assert.equal(mock.requests.length, 5);
  assert.deepEqual(Object.keys(mock.last.body).sort(), ["input", "model", "stream", "tools"]);
});

test("a refusal that the plain form does not mend is not remembered", async () => {
  await using mock = await mockResponses({
    fallback: httpError(400, { error: { message: "Unknown parameter: 'x'" } }),
  });
  await using home = await tempDir();
  for (const requests of [2, 4]) {
    await assert.rejects(ask(mock, { home: home.path }), (error: ModelError) => {
      assert.match(error.message, /Unknown parameter/);
      return error instanceof ModelError;
    });
    assert.equal(mock.requests.length, requests);
  }
});

test("a refusal for another reason is final, as is any where the dialect is said to be OpenAI's", async () => {
  await using mock = await mockResponses();
  mock.script(httpError(400, "no such model"), httpError(400, { error: { message: "Unknown parameter: 'x'" } }));
  await assert.rejects(ask(mock), /no such model/);
  await assert.rejects(ask(mock, { dialect: "openai" }), /Unknown parameter/);
  assert.equal(mock.requests.length, 2);
});

test("OpenAI, Azure, Bedrock and ChatGPT are always asked in OpenAI's dialect", () => {
  const knows = (baseUrl: string, more: Partial<ProviderConfig> = {}) => knowsDialect(providerRow(baseUrl, more));
  for (const url of [
    "https://api.openai.com/v1",
    "https://eu.api.openai.com/v1",
    "https://mine.openai.azure.com/openai/v1",
    "https://chatgpt.com/backend-api/codex",
    "https://bedrock-mantle.us-east-1.amazonaws.com/openai/v1",
  ]) {
    assert.equal(knows(url), true, url);
  }
  for (const url of ["http://127.0.0.1:1234/v1", "https://openrouter.ai/api/v1", "https://notopenai.com/v1"]) {
    assert.equal(knows(url), false, url);
  }
  assert.equal(knows("https://api.openai.com/v1", { dialect: "plain" }), false);
});

/** Refusals as servers write them, and whether another form may help. */
const refusals: readonly (readonly [number, string, boolean])[] = [
  [
    400,
    '{"error":{"code":400,"message":"\'type\' of tool must be \'function\'","type":"invalid_request_error"}}',
    true,
  ],
  [400, '{"error":{"message":"Invalid type for \'input\'.","type":"invalid_request_error","param":"input"}}', true],
  [400, '{"error":{"message":"property \'client_metadata\' is unsupported"}}', true],
  [
    422,
    '{"detail":[{"type":"extra_forbidden","loc":["body","include"],"msg":"Extra inputs are not permitted"}]}',
    true,
  ],
  [400, "Unexpected message role.", true],
  [500, '{"error":{"message":"Jinja Exception: Unexpected message role."}}', true],
  [500, '{"error":{"message":"out of memory, unknown cause"}}', false],
  [
    400,
    '{"error":{"message":"The model `x` does not exist","type":"invalid_request_error","code":"unknown_model"}}',
    false,
  ],
  [401, '{"error":{"message":"Unknown key"}}', false],
];

for (const [status, body, expected] of refusals) {
  test(`${status} ${body} is ${expected ? "" : "not "}taken for a matter of form`, () => {
    assert.equal(refusesForm(new Failure(body, "other", { httpStatus: status })), expected);
  });
}
