import assert from "node:assert/strict";
import { test } from "node:test";
import { mockResponses } from "@quire/testkit";
import { findLocalServers } from "../../src/model/listing/local-servers.ts";
import { readList } from "../../src/model/listing/read-list.ts";

test("facts are read as providers of several kinds write them", () => {
  const openrouter = {
    id: "a/b",
    name: "B",
    context_length: 32_000,
    top_provider: { max_completion_tokens: 4000 },
    architecture: { input_modalities: ["text", "image"] },
    pricing: { prompt: "0.0000003", completion: "0.0000012", input_cache_read: "0.00000003" },
    supported_parameters: ["tools", "reasoning"],
  };
  assert.deepEqual(readList({ data: [openrouter] }), [
    {
      id: "a/b",
      name: "B",
      contextWindow: 32_000,
      outputLimit: 4000,
      images: true,
      reasoning: true,
      prices: { input: 0.3, cachedInput: 0.03, cacheWrite: undefined, output: 1.2 },
    },
  ]);
  const windowOf = (row: object) => readList({ data: [{ id: "x", ...row }] })[0]?.contextWindow;
  assert.equal(windowOf({ max_model_len: 8192 }), 8192, "vLLM");
  assert.equal(windowOf({ meta: { n_ctx_train: 4096 } }), 4096, "llama.cpp");
  assert.equal(windowOf({ loaded_context_length: 4096, max_context_length: 131_072 }), 4096, "LM Studio");
  assert.equal(windowOf({ context_window: 131_072 }), 131_072, "Groq");
  assert.equal(windowOf({ context_length: "much" }), undefined);
  const together = readList([{ id: "t", pricing: { input: 0.2, output: 0.6 } }]);
  assert.equal(together[0]?.prices?.output, 0.6);
  const gemini = readList({
    models: [
      { name: "models/embedding-x", supportedGenerationMethods: ["embedContent"] },
      { name: "models/gemini-x", inputTokenLimit: 1_000_000, supportedGenerationMethods: ["generateContent"] },
    ],
  });
  assert.deepEqual([gemini[0]?.id, gemini[0]?.contextWindow], ["gemini-x", 1_000_000]);
});

test("an answer that is no list of models is none, and rows without a name are left out", () => {
  assert.throws(() => readList({ error: "no" }), /no list of models/);
  assert.deepEqual(readList({ data: [{}, null, 1, { id: "" }] }), []);
});

test("local servers that answer are found, others and anything else that listens are not", async () => {
  await using mock = await mockResponses({ models: ["qwen3"] });
  const candidates = [
    { id: "a", name: "A", baseUrl: mock.url },
    { id: "b", name: "B", baseUrl: `${mock.url}/nothing` },
    { id: "c", name: "C", baseUrl: "http://127.0.0.1:1/v1" },
  ];
  assert.deepEqual(await findLocalServers(candidates), [{ ...candidates[0], models: ["qwen3"] }]);
});
