import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { mockChat, reply } from "@quire/testkit";
import { testHome, testServer, unattended } from "../support/test-server.ts";

/** A provider that lists models, and keeps the headers it was asked with. Another one answers for them. */
async function lister(models: readonly object[], answers?: string) {
  const asked: Record<string, unknown>[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "POST" && answers !== undefined) {
      const url = answers + request.url?.replace("/v1", "");
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: await text(request),
      });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(await answer.text());
      return;
    }
    const { authorization: key, "x-api-key": anthropic, "x-goog-api-key": google } = request.headers;
    asked.push({ url: request.url, key, ...(anthropic && { anthropic }), ...(google && { google }) });
    response.end(JSON.stringify({ object: "list", data: models }));
  };
  const server = createServer((request, response) => void serve(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url, asked, close };
}

test("a provider's models are listed when a client names it, and never otherwise", async () => {
  const it = await lister([
    { id: "tiny", context_length: 9000, architecture: { input_modalities: ["text"] } },
    { id: "big", pricing: { prompt: "0.000001", completion: "0.000002" } },
  ]);
  const toml = `[model_providers.lister]\nname = "Lister"\nbase_url = "${it.url}"\nenv_key = "LISTER_KEY"\nmodels.big.context_window = 50000\n`;
  await using server = await testServer({ config: { toml }, env: { LISTER_KEY: "sk-list" } });
  const { client } = server;
  const unnamed = await client.request("model/list", {});
  assert.ok(unnamed.data.some(({ model }: { model: string }) => model.startsWith("gpt-")));
  await client.request("modelProvider/list", {});
  assert.deepEqual(it.asked, []);
  const { data } = await client.request("model/list", { modelProvider: "lister" });
  assert.deepEqual(it.asked, [{ url: "/v1/models", key: "Bearer sk-list" }]);
  assert.deepEqual(
    data.map(({ model, description, inputModalities }: Record<string, unknown>) => [
      model,
      description,
      inputModalities,
    ]),
    [
      ["tiny", "9k tokens", ["text"]],
      ["big", "50k tokens, $1 in, $2 out per million", ["text", "image"]],
    ],
  );
  const { models } = await client.request("modelProvider/list", { modelsOf: "lister" });
  assert.equal(models[1].prices.output, 2);
  await it.close();
  const kept = await client.request("model/list", { modelProvider: "lister" });
  assert.equal(kept.data.length, 2, "the list is kept for when the provider is away");
  await assert.rejects(
    client.request("modelProvider/list", { modelsOf: "lister" }),
    /could not be listed .* Check base_url/,
  );
  const started = await client.request("thread/start", { ...unattended, modelProvider: "lister", model: "tiny" });
  assert.equal(started.modelProvider, "lister");
});

test("other wires are asked for their models with the key where they want it", async () => {
  const it = await lister([{ id: "claude-x" }]);
  const row = (wire: string) =>
    `[model_providers.${wire}]\nbase_url = "${it.url}"\nenv_key = "KEY"\nwire_api = "${wire}"\n`;
  await using server = await testServer({ config: { toml: row("anthropic") + row("gemini") }, env: { KEY: "sk-1" } });
  for (const modelProvider of ["anthropic", "gemini"]) await server.client.request("model/list", { modelProvider });
  assert.deepEqual(
    it.asked.map(({ url, key, anthropic, google }) => [url, key, anthropic, google]),
    [
      ["/v1/models?limit=1000", undefined, "sk-1", undefined],
      ["/v1/models?pageSize=1000", undefined, undefined, "sk-1"],
    ],
  );
  await it.close();
});

/** Names in `model/list` without a provider, and that of the default, on a home with this configuration. */
async function listedWith(toml: string, files: Readonly<Record<string, string>> = {}) {
  await using place = await testHome({ model: "offline" });
  writeFileSync(join(place.home, "config.toml"), toml);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.home, name), text);
  const { client } = await place.open();
  const { data } = await client.request("model/list", {});
  const models: { model: string; isDefault: boolean }[] = data;
  return { names: models.map(({ model }) => model), chosen: models.find(({ isDefault }) => isDefault)?.model };
}

const inUse = (row: string, model = "big") =>
  `model = "${model}"\nmodel_provider = "own"\n[model_providers.own]\n${row}\n`;

test("a provider in use that has none of Codex's models is asked for its own, by clients that name none", async () => {
  const it = await lister([{ id: "tiny" }, { id: "big" }]);
  const address = `base_url = "${it.url}"`;
  for (const row of [`wire_api = "chat"`, `dialect = "plain"`, `package = "@own/models"`]) {
    assert.deepEqual(await listedWith(inUse(`${address}\n${row}`)), { names: ["tiny", "big"], chosen: "big" }, row);
  }
  const other = await listedWith(inUse(`${address}\nwire_api = "chat"`, "unlisted"));
  assert.deepEqual(other, { names: ["unlisted", "tiny", "big"], chosen: "unlisted" });
  const asked = it.asked.length;
  const unknown = await listedWith(inUse(address));
  assert.ok(unknown.names.includes("gpt-5.5"), "any other may have Codex's");
  assert.equal(it.asked.length, asked);
  const found = JSON.stringify({ [`own ${it.url}`]: { dialect: "plain", without: [] } });
  const plain = await listedWith(inUse(address), { "model-dialects.json": found });
  assert.deepEqual(plain.names, ["tiny", "big"], "the plain dialect was found out");
  await it.close();
  const away = await listedWith(inUse(`${address}\nwire_api = "chat"`));
  assert.deepEqual(away, { names: ["big"], chosen: "big" });
  const without = await listedWith(inUse(`package = "@own/models"`));
  assert.deepEqual(without.names, ["big"]);
});

test("a provider that was never asked is asked before its first thread: its windows count from the first turn on", async () => {
  await using mock = await mockChat();
  const it = await lister([{ id: "tiny", context_length: 10_000 }], mock.url);
  const toml = `[model_providers.own]\nbase_url = "${it.url}"\nwire_api = "chat"\n`;
  await using server = await testServer({ config: { toml } });
  const { client } = server;
  for (const count of [1, 2]) {
    const start = { ...unattended, cwd: server.cwd, modelProvider: "own", model: "tiny" };
    await client.turn((await client.request("thread/start", start)).thread.id);
    const windows = client.all("thread/tokenUsage/updated").map(({ tokenUsage }) => tokenUsage.modelContextWindow);
    assert.deepEqual(windows, Array(count).fill(9500));
  }
  assert.equal(it.asked.length, 1);
  await it.close();
});

test("a provider that cannot be asked keeps no thread waiting, and is asked once", async () => {
  const it = await lister([]);
  await it.close();
  const toml = `[model_providers.own]\nbase_url = "${it.url}"\nwire_api = "chat"\n`;
  await using server = await testServer({ config: { toml } });
  const start = { ...unattended, cwd: server.cwd, modelProvider: "own", model: "tiny" };
  assert.ok((await server.client.request("thread/start", start)).thread.id);
});

test("the window that a provider has listed is the one a thread is compacted by", async () => {
  await using server = await testServer();
  const { client } = server;
  const rows = { [`mock ${server.model.url}`]: [{ id: "mock-model", contextWindow: 10_000 }] };
  writeFileSync(`${server.home}/model-lists.json`, JSON.stringify(rows));
  const threadId = await client.thread({ ...unattended, cwd: server.cwd });
  server.model.script(reply().text("one").usage({ input: 100, output: 5 }));
  await client.turn(threadId);
  const { tokenUsage } = await client.waitFor("thread/tokenUsage/updated");
  assert.equal(tokenUsage.modelContextWindow, 9500);
});
