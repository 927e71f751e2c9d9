/** Provider packages of the AI SDK that a user has installed. */
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { mockAnthropic, reply } from "@quire/testkit";
import { testHome } from "../../support/test-server.ts";
import { said } from "./stage.ts";

const usage = {
  inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
};

describe("a provider package of the AI SDK", () => {
  /** A home whose configuration names a package, and the package, if there is one. */
  async function withPackage(code: string | undefined) {
    const place = await testHome({ model: "offline" });
    const config = 'model = "m"\nmodel_provider = "own"\n[model_providers.own]\npackage = "@own/models"\n';
    writeFileSync(join(place.home, "config.toml"), config);
    const folder = join(place.home, "node_modules", "@own", "models");
    if (code !== undefined) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, "package.json"),
        JSON.stringify({ name: "@own/models", type: "module", main: "index.js" }),
      );
      writeFileSync(join(folder, "index.js"), code);
    }
    return place;
  }

  test("answers when it is installed in the home", async () => {
    const code = `
      const text = (modelId) => [
        { type: "text-start", id: "0" }, { type: "text-delta", id: "0", delta: "From " + modelId }, { type: "text-end", id: "0" },
        { type: "finish", usage: ${JSON.stringify(usage)}, finishReason: { unified: "stop", raw: "stop" } },
      ];
      export const createOwn = () => ({
        languageModel: (modelId) => ({
          specificationVersion: "v3", provider: "own", modelId, supportedUrls: {},
          doStream: async () => ({ stream: ReadableStream.from(text(modelId)) }),
        }),
      });`;
    await using place = await withPackage(code);
    const { client } = await place.open();
    const turn = await client.turn(await client.thread({ cwd: place.cwd }));
    assert.equal(turn.status, "completed", turn.error?.message);
    assert.deepEqual(said(client), ["From m"]);
  });

  test("gets the key, and sends it where its wire wants it, with configured headers", async () => {
    await using mock = await mockAnthropic();
    const found = import.meta.resolve("@ai-sdk/anthropic");
    await using place = await withPackage(`export { createAnthropic } from ${JSON.stringify(found)};`);
    const row = `base_url = ${JSON.stringify(mock.url)}\nenv_key = "OWN_KEY"\nhttp_headers = { x-team = "red" }\n`;
    appendFileSync(join(place.home, "config.toml"), row);
    const { client } = await place.open({ env: { OWN_KEY: "sk-own" } });
    mock.script(reply().text("By package."));
    const turn = await client.turn(await client.thread({ cwd: place.cwd }));
    assert.equal(turn.status, "completed", turn.error?.message);
    assert.deepEqual(said(client), ["By package."]);
    const { headers } = mock.last;
    assert.deepEqual([headers["x-api-key"], headers["x-team"], headers.authorization], ["sk-own", "red", undefined]);
  });

  test("that is missing is named, with the command that installs it", async () => {
    await using place = await withPackage(undefined);
    const { client } = await place.open();
    const turn = await client.turn(await client.thread({ cwd: place.cwd }));
    assert.match(turn.error?.message ?? "", /@own\/models is not installed\. Run: npm install --prefix/);
  });

  test("that makes no provider is told", async () => {
    await using place = await withPackage("export const other = 1;");
    const { client } = await place.open();
    const turn = await client.turn(await client.thread({ cwd: place.cwd }));
    assert.match(turn.error?.message ?? "", /exports no function named create/);
  });
});
