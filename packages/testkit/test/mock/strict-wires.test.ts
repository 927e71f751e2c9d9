/** The mocks refuse what the real APIs refuse: a client that works with them makes no such request. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ModelMock, mockAnthropic, mockChat, mockGemini, type Reply, reply } from "@quire/testkit";

/** A request that is refused, and the words of the answer. */
type Refused = readonly [name: string, body: object, words: RegExp];

const schema = { type: "object", properties: { cmd: { type: "string" } } };

const chatTool = { type: "function", function: { name: "run", parameters: schema } };
const chatCall = { id: "c1", type: "function", function: { name: "run", arguments: "{}" } };
const calls = { role: "assistant", content: null, tool_calls: [chatCall] };
const output = { role: "tool", tool_call_id: "c1", content: "done" };
const hi = { role: "user", content: "hi" };

const chat: readonly Refused[] = [
  ["an unknown role", { messages: [{ role: "developer", content: "be brief" }, hi] }, /Invalid value: 'developer'/],
  ["instructions in the middle", { messages: [hi, { role: "system", content: "x" }] }, /must be at the beginning/],
  ["a role twice in a row", { messages: [hi, hi] }, /roles must alternate/],
  ["a tool that is no function", { tools: [{ type: "custom", custom: { name: "p" } }] }, /'custom'/],
  ["an illegal name", { tools: [{ type: "function", function: { name: "a.b" } }] }, /does not match pattern/],
  ["an unknown field", { prompt_cache_key: "t" }, /prompt_cache_key/],
  ["a choice without tools", { tool_choice: "auto" }, /only allowed when 'tools'/],
  ["no tools in the list", { tools: [] }, /too short/],
  ["a call without an output", { messages: [hi, calls], tools: [chatTool] }, /did not have response messages: c1/],
  ["an output too late", { messages: [hi, calls, hi, output], tools: [chatTool] }, /did not have response messages/],
  ["an output without a call", { messages: [hi, output], tools: [chatTool] }, /must be a response/],
  ["an image in an output", { messages: [hi, calls, { ...output, content: [{ type: "image_url" }] }] }, /image_url/],
  [
    "an id of a call that is too long",
    { messages: [hi, { ...calls, tool_calls: [{ ...chatCall, id: "c".repeat(41) }] }, output] },
    /string too long/,
  ],
  [
    "broken arguments",
    { messages: [hi, { ...calls, tool_calls: [{ ...chatCall, function: { name: "run", arguments: "{" } }] }, output] },
    /parse/,
  ],
];

const marked = { type: "text", text: "x", cache_control: { type: "ephemeral" } };
const anthropicTool = { name: "run", input_schema: schema };
const use = { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "run", input: {} }] };
const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "done" }] };
const thought = { type: "thinking", thinking: "hm", signature: "made up" };

const anthropic: readonly Refused[] = [
  ["no bound", { max_tokens: undefined }, /max_tokens: Field required/],
  ["an assistant at the beginning", { messages: [{ role: "assistant", content: "hi" }] }, /first message must use the/],
  ["an unknown role", { messages: [hi, { role: "system", content: "x" }] }, /role: Input should be/],
  ["an unknown field", { prompt_cache_key: "t" }, /Extra inputs are not permitted/],
  [
    "a tool that is no function",
    { tools: [{ type: "function", function: { name: "run" } }] },
    /Input tag 'function' .*does not match/,
  ],
  ["an illegal name", { tools: [{ ...anthropicTool, name: "a.b" }] }, /String should match pattern/],
  ["a name twice", { tools: [anthropicTool, anthropicTool] }, /must be unique/],
  ["a call without a result", { messages: [hi, use], tools: [anthropicTool] }, /without `tool_result` blocks/],
  ["a result without a call", { messages: [hi, result], tools: [anthropicTool] }, /unexpected `tool_use_id`/],
  [
    "a result after text",
    {
      messages: [hi, use, { role: "user", content: [{ type: "text", text: "x" }, ...result.content] }],
      tools: [anthropicTool],
    },
    /must come before/,
  ],
  ["calls without tools", { messages: [hi, use, result] }, /must define tools/],
  ["empty text", { messages: [{ role: "user", content: [{ type: "text", text: " " }] }] }, /non-whitespace/],
  [
    "five marks",
    { messages: [{ role: "user", content: [marked, marked, marked, marked, marked] }] },
    /maximum of 4 blocks with cache_control/,
  ],
  ["a signature of another", { messages: [hi, { role: "assistant", content: [thought] }, hi] }, /Invalid `signature`/],
  [
    "a mark on reasoning",
    { messages: [hi, { role: "assistant", content: [{ ...thought, cache_control: {} }] }, hi] },
    /Extra inputs/,
  ],
  ["a small budget", { thinking: { type: "enabled", budget_tokens: 1 } }, /greater than or equal to 1024/],
  ["space at the end", { messages: [hi, { role: "assistant", content: "so " }] }, /trailing whitespace/],
];

const part = (value: object) => ({ role: "model", parts: [value] });
const said = { role: "user", parts: [{ text: "hi" }] };
const geminiCall = { functionCall: { name: "run", args: {} } };
const response = { role: "user", parts: [{ functionResponse: { name: "run", response: {} } }] };

const gemini: readonly Refused[] = [
  ["an unknown field", { messages: [] }, /Unknown name .*messages/],
  ["an unknown type of tool", { tools: [{ type: "function", name: "run" }] }, /Unknown name "type" at 'tools\[0\]'/],
  [
    "an unknown field of a schema",
    { tools: [{ functionDeclarations: [{ name: "run", parameters: { ...schema, additionalProperties: false } }] }] },
    /additionalProperties/,
  ],
  ["an illegal name", { tools: [{ functionDeclarations: [{ name: "1 b" }] }] }, /Invalid function name/],
  ["an unknown role", { contents: [{ role: "assistant", parts: [{ text: "x" }] }] }, /valid role/],
  ["an empty part", { contents: [{ role: "user", parts: [{}] }] }, /required oneof field 'data'/],
  ["no parts", { contents: [{ role: "user", parts: [] }] }, /must not be empty/],
  [
    "a call without a response",
    { contents: [said, part({ ...geminiCall, thoughtSignature: "skip_thought_signature_validator" }), said] },
    /equal to the number of function call parts/,
  ],
  ["a response without a call", { contents: [said, response] }, /equal to the number/],
  ["a call at the beginning", { contents: [part(geminiCall), response] }, /immediately after a user turn/],
  ["a call without its signature", { contents: [said, part(geminiCall), response] }, /missing a thought_signature/],
  [
    "a signature of another",
    { contents: [said, part({ ...geminiCall, thoughtSignature: "made up" }), response] },
    /Corrupted thought signature/,
  ],
];

interface Api {
  readonly name: string;
  start(): Promise<ModelMock>;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly plain: object;
  readonly refused: readonly Refused[];
}

const apis: readonly Api[] = [
  {
    name: "Chat Completions",
    start: mockChat,
    path: "/chat/completions",
    headers: {},
    plain: { model: "m", messages: [hi], stream: true },
    refused: chat,
  },
  {
    name: "Anthropic",
    start: mockAnthropic,
    path: "/messages",
    headers: { "x-api-key": "k", "anthropic-version": "2023-06-01" },
    plain: { model: "m", messages: [hi], max_tokens: 100, stream: true },
    refused: anthropic,
  },
  {
    name: "Gemini",
    start: mockGemini,
    path: "/models/gemini-3:streamGenerateContent?alt=sse",
    headers: { "x-goog-api-key": "k" },
    plain: { contents: [said] },
    refused: gemini,
  },
];

for (const api of apis) {
  const ask = (mock: ModelMock, body: object = {}, headers: Record<string, string> = api.headers) =>
    fetch(`${mock.url}${api.path}`, { method: "POST", headers, body: JSON.stringify({ ...api.plain, ...body }) });

  describe(`the mock of ${api.name}`, () => {
    for (const [name, body, words] of api.refused) {
      test(`refuses ${name}`, async () => {
        await using mock = await api.start();
        const answer = await ask(mock, body);
        assert.equal(answer.status, 400);
        const { error } = (await answer.json()) as { error: { message: string } };
        assert.match(error.message, words);
      });
    }

    test("streams a scripted reply, and keeps the request in common terms", async () => {
      await using mock = await api.start();
      mock.script(reply().reasoning(["hm"]).text("hello there", { chunks: 2 }).functionCall("run", { cmd: "ls" }));
      const answer = await ask(mock);
      assert.equal(answer.status, 200);
      const text = await answer.text();
      for (const word of ["hm", "hello", "there", "run"]) assert.ok(text.includes(word), word);
      assert.equal(mock.last.lastUserText, "hi");
      assert.deepEqual(mock.refused, []);
    });

    test("says an error in its own words", async () => {
      await using mock = await api.start();
      mock.script(mock.error(429, "Slow down", { "retry-after": "3" }));
      const answer = await ask(mock);
      assert.equal(answer.status, 429);
      assert.equal(answer.headers.get("retry-after"), "3");
      assert.match(await answer.text(), /Slow down/);
    });

    test("breaks a stream off", async () => {
      await using mock = await api.start();
      const broken = (ending: Reply) => mock.script(ending);
      broken(reply().text("half").truncate());
      assert.match(await (await ask(mock)).text(), /half/);
      broken(reply().text("half").cut());
      await assert.rejects(async () => (await ask(mock)).text());
    });
  });
}

test("an API that needs a key says so", async () => {
  await using anthropicMock = await mockAnthropic();
  const answer = await fetch(`${anthropicMock.url}/messages`, { method: "POST", body: "{}" });
  assert.equal(answer.status, 401);
  await using geminiMock = await mockGemini();
  const other = await fetch(`${geminiMock.url}/models/m:streamGenerateContent`, { method: "POST", body: "{}" });
  assert.equal(other.status, 403);
});
