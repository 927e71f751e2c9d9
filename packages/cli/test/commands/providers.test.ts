import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { mockChat, mockResponses, reply } from "@quire/testkit";
import { place, slow } from "../support/quire.ts";

test("a provider is added, listed, tested and removed", slow, async () => {
  await using mock = await mockResponses({ strict: true, models: ["tiny", "big"] });
  await using it = await place();
  const added = await it.run(["providers", "add", "mine", "--url", mock.url, "--env-key", "MINE_KEY"]);
  assert.match(added.stdout, /^Added mine\. Set MINE_KEY to its key\. Try: quire providers test mine/);
  assert.match(readFileSync(join(it.home, "config.toml"), "utf8"), /\[model_providers\.mine\]/);
  const twice = await it.run(["providers", "add", "mine", "--url", mock.url]);
  assert.deepEqual([twice.code, /there already/.test(twice.stderr)], [1, true]);
  const listed = await it.run(["providers", "--json"]);
  const { data, localServers } = JSON.parse(listed.stdout);
  assert.ok(data.some(({ id, baseUrl }: Record<string, string>) => id === "mine" && baseUrl === mock.url));
  assert.ok(Array.isArray(localServers));

  const keyless = await it.run(["providers", "test", "mine", "--model", "tiny", "--json"]);
  assert.equal(keyless.code, 1);
  assert.match(JSON.parse(keyless.stdout).turn, /Missing environment variable: `MINE_KEY`/);
  it.env.MINE_KEY = "sk-mine";
  mock.script(reply().functionCall("add_numbers", { a: 19, b: 23 }), reply().text("The sum is 42", { chunks: 4 }));
  const tested = await it.run(["providers", "test", "mine"]);
  assert.equal(tested.code, 0, tested.stdout + tested.stderr);
  assert.match(tested.stdout, /mine, tiny\n✓ {2}models +lists 2\n✓ {2}turn\n✓ {2}tool call\n✓ {2}streaming\n/);
  mock.script(reply().text("I cannot"));
  const unable = await it.run(["providers", "test", "mine"]);
  assert.deepEqual([unable.code, /✗ {2}tool call/.test(unable.stdout)], [1, true]);

  assert.equal((await it.run(["providers", "remove", "mine"])).stdout, "Removed mine.\n");
  assert.equal((await it.run(["providers", "remove", "mine"])).code, 1);
});

test(
  "a provider behind a package of the AI SDK is added and tested, with the command that installs it",
  slow,
  async () => {
    await using mock = await mockChat({ models: ["tiny"] });
    await using it = await place();
    const name = "@ai-sdk/openai-compatible";
    const added = await it.run(["providers", "add", "packed", "--package", name, "--url", mock.url]);
    assert.match(
      added.stdout,
      /^Added packed\. Install it: npm install --prefix ".*" @ai-sdk\/openai-compatible\. Try:/,
    );
    const config = readFileSync(join(it.home, "config.toml"), "utf8");
    assert.match(config, /package = "@ai-sdk\/openai-compatible"/);
    assert.doesNotMatch(config, /wire_api/);
    mock.script(reply().functionCall("add_numbers", { a: 19, b: 23 }), reply().text("The sum is 42"));
    const tested = await it.run(["providers", "test", "packed", "--json"]);
    assert.equal(tested.code, 0, tested.stdout + tested.stderr);
    const { model, turn, toolCall } = JSON.parse(tested.stdout);
    assert.deepEqual({ model, turn, toolCall }, { model: "tiny", turn: true, toolCall: true });
    assert.deepEqual(mock.refused, []);
  },
);

test("a test that fails says why and what to do, and a default that is removed is one no longer", slow, async () => {
  await using mock = await mockChat({ models: ["tiny"] });
  await using it = await place();
  await it.run(["providers", "add", "mine", "--url", mock.url, "--model", "tiny"]);
  const { code, stdout } = await it.run(["providers", "test", "mine"]);
  assert.equal(code, 1);
  assert.match(stdout, /✗ {2}turn +unexpected status 404/);
  assert.doesNotMatch(stdout, /tool call|streaming/);
  assert.match(stdout, /may have no Responses API\. Set wire_api = "chat" in \[model_providers\.mine\]/);
  const unknown = await it.run(["providers", "test", "other"]);
  assert.match(unknown.stderr, /There is no provider 'other'\. See: quire providers list/);
  const removed = await it.run(["providers", "remove", "mine"]);
  assert.equal(removed.stdout, "Removed mine. It was your default: offline is now.\n");
  assert.doesNotMatch(readFileSync(join(it.home, "config.toml"), "utf8"), /mine|tiny/);
});

test("wrong command lines name what is right", slow, async () => {
  await using it = await place();
  const fails = async (code: number, words: RegExp, ...args: string[]) => {
    const { code: was, stderr } = await it.run(["providers", ...args]);
    assert.equal(was, code, stderr);
    assert.match(stderr, words);
  };
  await fails(2, /pass --url/, "add", "mine");
  await fails(2, /exclude each other/, "add", "mine", "--package", "@ai-sdk/mistral", "--wire-api", "chat");
  await fails(2, /expected the name of an npm package/, "add", "mine", "--package", "../evil.js");
  await fails(2, /expected http/, "add", "mine", "--url", "ftp://x");
  await fails(2, /not the key itself/, "add", "mine", "--url", "http://x", "--env-key", "sk-1");
  await fails(2, /an id is required/, "test");
  await fails(2, /expected quire providers list, add, test, remove/, "frobnicate");
  await fails(1, /built in/, "add", "ollama");
  await fails(1, /There is no provider 'x'/, "remove", "x");
  assert.match((await it.run(["providers", "--help"])).stdout, /add ID/);
  assert.match((await it.run(["providers", "add", "--help"])).stdout, /openrouter/);
});
