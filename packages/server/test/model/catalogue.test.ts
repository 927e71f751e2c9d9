import assert from "node:assert/strict";
import { test } from "node:test";
import { mockResponses, reply } from "@quire/testkit";
import { listModels } from "../../src/config/catalogue.ts";
import { openConfig } from "../../src/config/open-config.ts";
import { providerFor } from "../../src/model/provider-for.ts";
import { modelRequest, RecordingSink } from "./recording-sink.ts";

test("exactly one listed model is the default, whichever is configured", () => {
  for (const defaultModel of ["quire-offline", "gpt-5.5", "codex-auto-review", "my-own"]) {
    const models = listModels({ defaultModel });
    assert.deepEqual(
      models.filter((model) => model.isDefault).map((model) => model.model),
      [defaultModel],
    );
    for (const model of models) {
      // A model that is not known is asked for no effort, as Codex does.
      const efforts = ["none", ...model.supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort)];
      assert.ok(efforts.includes(model.defaultReasoningEffort), model.model);
    }
  }
});

test("the offline model is offered only where it answers, hidden models only when asked for", () => {
  const names = (query: Parameters<typeof listModels>[0]) => listModels(query).map(({ model }) => model);
  assert.equal(names({ defaultModel: "quire-offline" })[0], "quire-offline");
  assert.ok(!names({ defaultModel: "gpt-5.5" }).includes("quire-offline"));
  assert.ok(!names({ defaultModel: "gpt-5.5" }).includes("codex-auto-review"));
  assert.ok(names({ defaultModel: "gpt-5.5", includeHidden: true }).includes("codex-auto-review"));
});

test("a configured provider is asked, and without one the offline model answers", async () => {
  await using mock = await mockResponses();
  mock.script(reply().text("from the mock"));
  const said = async (cliOverrides: Record<string, unknown>) => {
    const config = openConfig({ home: "/nonexistent", env: {}, cliOverrides }).resolve({ cwd: "/" });
    const sink = new RecordingSink();
    await providerFor(config.provider, { env: {} }).stream(modelRequest("hi"), sink, new AbortController().signal);
    return sink.text;
  };
  assert.match(await said({}), /^I am Quire's offline model/);
  assert.equal(await said({ model_provider: "mock", "model_providers.mock.base_url": mock.url }), "from the mock");
});
