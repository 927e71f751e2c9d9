/** Models that are objects of the program. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createServer, type EmbeddedModel, type LanguageModel, type ModelProvider } from "@quire/server";
import { testHome } from "../../support/test-server.ts";
import { kindOf, said } from "./stage.ts";

const usage = {
  inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
};

function parts(...middle: LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  const all: LanguageModelV4StreamPart[] = [
    { type: "stream-start", warnings: [] },
    ...middle,
    { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } },
  ];
  return new ReadableStream({
    start: (controller) => {
      for (const part of all) controller.enqueue(part);
      controller.close();
    },
  });
}

const says = (text: string): LanguageModelV4StreamPart[] => [
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: text },
  { type: "text-end", id: "0" },
];

/** A model of either version that keeps what it was asked. */
function model(version: "v3" | "v4", answers: (() => LanguageModelV4StreamPart[])[]) {
  const asked: LanguageModelV4CallOptions[] = [];
  const made = {
    specificationVersion: version,
    provider: "own",
    modelId: "own-model",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("only streams are asked for")),
    doStream: async (options: LanguageModelV4CallOptions) => {
      asked.push(options);
      return { stream: parts(...(answers.shift()?.() ?? says("ok"))) };
    },
  };
  return { asked, model: made as unknown as LanguageModel };
}

const call: LanguageModelV4StreamPart = {
  type: "tool-call",
  toolCallId: "c1",
  toolName: "exec_command",
  input: JSON.stringify({ cmd: "echo from the shell", login: false }),
};
const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function opened(given: EmbeddedModel) {
  const place = await testHome({ model: "offline" });
  const { client } = await place.open({ providers: { mine: given } });
  const {
    thread,
    model: name,
    modelProvider,
  } = await client.request("thread/start", {
    cwd: place.cwd,
    sandbox: "danger-full-access",
    approvalPolicy: "never",
  });
  return { place, client, threadId: thread.id as string, name, modelProvider };
}

describe("a model given in code", () => {
  for (const version of ["v3", "v4"] as const) {
    test(`answers, runs commands and sees images, by version ${version} of the AI SDK's interface`, async () => {
      const own = model(version, [() => [call], () => says("It ran.")]);
      const { place, client, threadId, name, modelProvider } = await opened(own.model);
      await using _ = place;
      assert.deepEqual([name, modelProvider], ["own-model", "mine"]);
      const input = [
        { type: "text", text: "run it" },
        { type: "image", url: pixel },
      ];
      const { turn } = await client.request("turn/start", { threadId, input });
      assert.equal((await client.ended(turn.id)).status, "completed");
      assert.deepEqual(said(client), ["It ran."]);
      const [first, second] = own.asked;
      assert.match(JSON.stringify(second?.prompt), /from the shell/);
      const names = first?.tools?.map(({ name }) => name) ?? [];
      assert.ok(names.includes("exec_command") && names.includes("apply_patch"), names.join());
      const image = { v3: /"data":"iVBORw0KGgo/, v4: /"data":\{"type":"data","data":"iVBORw0KGgo/ };
      assert.match(JSON.stringify(first?.prompt), image[version]);
    });
  }

  for (const [version, image] of [
    ["v3", /"type":"image-data","data":"iVBORw0KGgo[^"]*","mediaType":"image\/png"/],
    ["v4", /"type":"file","mediaType":"image\/png","data":\{"type":"data","data":"iVBORw0KGgo/],
  ] as const) {
    test(`of Anthropic sees images in the output of a tool, by version ${version}`, async () => {
      const view = { ...call, toolName: "view_image", input: JSON.stringify({ path: "pixel.png" }) } as const;
      const own = model(version, [() => [view], () => says("A pixel.")]);
      const given = { ...own.model, provider: "anthropic.messages" } as LanguageModel;
      const { place, client, threadId } = await opened(given);
      await using _ = place;
      writeFileSync(join(place.cwd, "pixel.png"), Buffer.from(pixel.split(",")[1] ?? "", "base64"));
      assert.equal((await client.turn(threadId)).status, "completed");
      const outputs = own.asked[1]?.prompt.filter(({ role }) => role === "tool");
      assert.match(JSON.stringify(outputs), image);
    });
  }

  test("of Anthropic's has cache marks also behind OpenRouter and Amazon, and no other has", async () => {
    for (const [provider, modelId, expected] of [
      ["anthropic.messages", "claude-sonnet-4-5", true],
      ["openrouter.chat", "anthropic/claude-sonnet-4.5", true],
      ["amazon-bedrock", "us.anthropic.claude-sonnet-4-5-v1:0", true],
      ["openrouter.chat", "qwen/qwen3-coder", false],
    ] as const) {
      const own = model("v3", []);
      const { place, client, threadId } = await opened({ ...own.model, provider, modelId } as LanguageModel);
      await using _ = place;
      await client.turn(threadId);
      const marks = JSON.stringify(own.asked.at(-1)?.prompt).match(/"cacheControl"/g) ?? [];
      assert.equal(marks.length > 0 && marks.length <= 4, expected, `${provider} ${modelId}: ${marks.length}`);
    }
  });

  test("that ends a text only with its response has it before the call that came after it", async () => {
    const [start, delta, end] = says("I look.");
    assert.ok(start && delta && end);
    const own = model("v3", [() => [start, delta, call, end], () => says("It ran.")]);
    const { place, client, threadId } = await opened(own.model);
    await using _ = place;
    await client.turn(threadId);
    assert.deepEqual(said(client), ["I look.", "It ran."]);
    const [answer] = own.asked[1]?.prompt.filter(({ role }) => role === "assistant") ?? [];
    const kinds = Array.isArray(answer?.content) ? answer.content.map(({ type }) => type) : [];
    assert.deepEqual(kinds, ["text", "tool-call"]);
  });

  test("thinks as hard as it is asked to, by either version", async () => {
    for (const version of ["v3", "v4"] as const) {
      const own = model(version, []);
      const { place, client, threadId } = await opened({ ...own.model, provider: "openai.responses" } as LanguageModel);
      await using _ = place;
      const input = [{ type: "text", text: "go" }];
      const { turn } = await client.request("turn/start", { threadId, input, effort: "low" });
      await client.ended(turn.id);
      const { reasoning, providerOptions } = own.asked[0] ?? {};
      const expected = { v3: [undefined, { store: false, reasoningEffort: "low" }], v4: ["low", { store: false }] };
      assert.deepEqual([reasoning, providerOptions?.openai], expected[version]);
    }
  });

  test("that is none, or of an older version of the AI SDK, is refused when the server is made", () => {
    const older = { ...model("v4", []).model, specificationVersion: "v2" };
    for (const wrong of [older, () => model("v4", []).model, { stream: "no" }, undefined]) {
      const make = () => createServer({ providers: { mine: wrong as unknown as EmbeddedModel } });
      assert.throws(make, /providers\.mine is no model: pass a LanguageModel of version 6 or 7/);
    }
  });

  test("of a package for Responses has nothing kept by the provider", async () => {
    const own = model("v4", []);
    for (const [provider, maker, expected] of [
      ["openai.responses", "openai", { store: false }],
      ["xai.responses", "xai", { store: false }],
      ["own", "openai", undefined],
    ] as const) {
      const { place, client, threadId } = await opened({ ...own.model, provider } as LanguageModel);
      await using _ = place;
      await client.turn(threadId);
      assert.deepEqual(own.asked.at(-1)?.providerOptions?.[maker], expected, provider);
    }
  });

  test("tells its own errors, and is not asked again when that is of no use", async () => {
    const broken = { ...model("v4", []).model, doStream: () => Promise.reject(new Error("no such weights")) };
    const { place, client, threadId } = await opened(broken as unknown as LanguageModel);
    await using _ = place;
    const turn = await client.turn(threadId);
    assert.match(turn.error?.message ?? "", /no such weights/);
  });

  test("has its HTTP errors told in the provider's words", async () => {
    const refusal = Object.assign(new Error("x"), {
      statusCode: 401,
      responseBody: JSON.stringify({ error: { message: "Who are you?" } }),
    });
    const broken = { ...model("v4", []).model, doStream: () => Promise.reject(refusal) };
    const { place, client, threadId } = await opened(broken as unknown as LanguageModel);
    await using _ = place;
    const turn = await client.turn(threadId);
    assert.equal(kindOf(turn), "unauthorized");
    assert.match(turn.error?.message ?? "", /Who are you\?/);
  });

  test("that takes no schema answers by a function, once it has refused it", async () => {
    const answer = { type: "tool-call", toolCallId: "a1", toolName: "final_answer", input: '{"answer":3}' } as const;
    const own = model("v4", [() => [answer]]);
    const refusal = Object.assign(new Error("x"), {
      statusCode: 400,
      responseBody: "response_format is not supported",
    });
    const { doStream } = own.model as { doStream: (options: LanguageModelV4CallOptions) => unknown };
    const picky = {
      ...own.model,
      doStream: (options: LanguageModelV4CallOptions) =>
        options.responseFormat ? Promise.reject(refusal) : doStream(options),
    };
    const { place, client, threadId } = await opened(picky as unknown as LanguageModel);
    await using _ = place;
    const outputSchema = { type: "object", properties: { answer: { type: "number" } } };
    const input = [{ type: "text", text: "how many" }];
    const { turn } = await client.request("turn/start", { threadId, input, outputSchema });
    const { status, error } = await client.ended(turn.id);
    assert.equal(status, "completed", error?.message);
    assert.deepEqual(said(client), ['{"answer":3}']);
  });

  test("may be a provider of our own interface", async () => {
    const own: ModelProvider = {
      id: "mine",
      async stream(_request, sink) {
        const item = { type: "message", id: "m1", role: "assistant", content: [] } as const;
        sink.itemAdded({ ...item, content: [] });
        sink.textDelta("m1", "By hand.");
        sink.itemDone({ ...item, content: [{ type: "output_text", text: "By hand." }] });
        return { responseId: "r1", usage: null, endTurn: null };
      },
    };
    const { place, client, threadId } = await opened(own);
    await using _ = place;
    await client.turn(threadId);
    assert.deepEqual(said(client), ["By hand."]);
  });
});
