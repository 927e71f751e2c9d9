import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { HookMetadata, PluginListResponse } from "@quire/protocol";
import { tempDir } from "@quire/testkit";
import { type TestServer, testServer } from "../support/test-server.ts";
import { npmRegistry } from "./npm-registry.ts";

const place = ".agents/plugins/marketplace.json";

function put(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

/** A marketplace with one plugin. */
function makeMarketplace(root: string, manifest: object = {}): string {
  put(join(root, place), { name: "market", plugins: [{ name: "tool", source: "./tool" }] });
  put(join(root, "tool/.codex-plugin/plugin.json"), { name: "tool", version: "1.0.0", ...manifest });
  put(join(root, "tool/skills/hello/SKILL.md"), "---\nname: hello\ndescription: says hello\n---\nSay hello.");
  return join(root, place);
}

/** A server whose plugins are switched on. */
async function pluginServer(home: string): Promise<TestServer> {
  const server = await testServer({ home, model: "scripted" });
  const switchedOn = { keyPath: "features.plugins", value: true, mergeStrategy: "replace" };
  await server.client.request("config/value/write", switchedOn);
  return server;
}

const install = ({ client }: TestServer, marketplacePath: string) =>
  client.request("plugin/install", { marketplacePath, pluginName: "tool" });

test("a changed file of a plugin takes back the trust in its hooks", async () => {
  await using folder = await tempDir("quire-plugins-");
  const home = join(folder.path, "home");
  await using server = await pluginServer(home);
  const path = makeMarketplace(join(folder.path, "market"));
  put(join(folder.path, "market/tool/hooks/hooks.json"), {
    hooks: { Stop: [{ hooks: [{ type: "command", command: `\${PLUGIN_ROOT}/run.sh` }] }] },
  });
  put(join(folder.path, "market/tool/run.sh"), "true");
  await install(server, path);
  const listed = async () => {
    const { data } = (await server.client.request("hooks/list", {})) as { data: { hooks: HookMetadata[] }[] };
    return data.flatMap(({ hooks }) => hooks)[0];
  };
  const hook = await listed();
  assert.equal(hook?.pluginId, "tool@market");
  await server.client.request("config/value/write", {
    keyPath: `hooks.state.${JSON.stringify(hook?.key)}.trusted_hash`,
    value: hook?.currentHash,
    mergeStrategy: "replace",
  });
  assert.equal((await listed())?.trustStatus, "trusted");
  put(join(home, "plugins/cache/market/tool/1.0.0/run.sh"), "something else");
  assert.equal((await listed())?.trustStatus, "modified");
});

test("a plugin is installed from git, with the version that its marketplace names", async () => {
  await using folder = await tempDir("quire-plugins-");
  const home = join(folder.path, "home");
  await using server = await pluginServer(home);
  const repository = join(folder.path, "repository");
  makeMarketplace(repository);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", repository, "-c", "user.email=a@b", "-c", "user.name=x", ...args])
      .toString()
      .trim();
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "first");
  const first = git("rev-parse", "HEAD");
  put(join(repository, "tool/.codex-plugin/plugin.json"), { name: "tool", version: "2.0.0" });
  git("commit", "-qam", "second");
  const market = join(folder.path, "market", place);
  const source = { source: "git-subdir", url: `file://${repository}`, path: "tool", sha: first };
  put(market, { name: "other", plugins: [{ name: "tool", source }] });
  await install(server, market);
  assert.equal(existsSync(join(home, "plugins/cache/other/tool/1.0.0/skills/hello/SKILL.md")), true);
});

test("what a marketplace or a plugin names outside of its folder is not used", async () => {
  await using folder = await tempDir("quire-plugins-");
  await using server = await pluginServer(join(folder.path, "home"));
  put(join(folder.path, "secret/SKILL.md"), "---\nname: secret\ndescription: s\n---\n");
  const path = makeMarketplace(join(folder.path, "market"), { skills: "../..", mcpServers: "./../../x.json" });
  put(path, {
    name: "market",
    plugins: [
      { name: "tool", source: "./tool" },
      { name: "outside", source: "./../secret" },
      { name: "../evil", source: "./tool" },
    ],
  });
  const cwds = [join(folder.path, "market")];
  const { marketplaces } = (await server.client.request("plugin/list", { cwds })) as PluginListResponse;
  assert.deepEqual(
    marketplaces[0]?.plugins.map(({ name }) => name),
    ["tool"],
  );
  await install(server, path);
  const { data } = (await server.client.request("skills/list", {})) as { data: { skills: { name: string }[] }[] };
  assert.deepEqual(
    data.flatMap(({ skills }) => skills),
    [],
  );
});

test("installing again replaces what was there, and uninstalling leaves nothing", async () => {
  await using folder = await tempDir("quire-plugins-");
  const home = join(folder.path, "home");
  await using server = await pluginServer(home);
  const root = join(folder.path, "market");
  await install(server, makeMarketplace(root));
  await install(server, makeMarketplace(root, { version: "1.1.0" }));
  assert.equal(existsSync(join(home, "plugins/cache/market/tool/1.0.0")), false);
  assert.equal(existsSync(join(home, "plugins/cache/market/tool/1.1.0")), true);
  await server.client.request("plugin/uninstall", { pluginId: "tool@market" });
  assert.equal(existsSync(join(home, "plugins/cache/market/tool")), false);
  assert.doesNotMatch(readFileSync(join(home, "config.toml"), "utf8"), /tool@market/);
});

/** A marketplace with one plugin from npm, and the `.npmrc` of a home that leads to a registry. */
async function fromNpm(folder: string, source: object, files: Readonly<Record<string, string>>) {
  const registry = await npmRegistry({ name: "@me/tool", version: "1.2.0", files });
  put(join(folder, "home/.npmrc"), `registry=${registry.url}\n`);
  const path = join(folder, "market", place);
  put(path, { name: "market", plugins: [{ name: "tool", source: { source: "npm", package: "@me/tool", ...source } }] });
  return { path, [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose]() };
}

const packed = (name: string, mark: string) => ({
  "package/package.json": JSON.stringify({
    name,
    version: "1.2.0",
    scripts: { install: `touch ${mark}`, prepare: `touch ${mark}`, postinstall: `touch ${mark}` },
  }),
  "package/.codex-plugin/plugin.json": JSON.stringify({ name: "tool", version: "1.2.0" }),
  "package/skills/hello/SKILL.md": "---\nname: hello\ndescription: says hello\n---\nSay hello.",
});

test("a plugin is installed from npm's registry, and none of its scripts runs", async () => {
  await using folder = await tempDir("quire-plugins-");
  const mark = join(folder.path, "ran");
  const files = { ...packed("@me/tool", mark), "package/../../../../outside": "x" };
  await using market = await fromNpm(folder.path, { version: "^1.0.0" }, files);
  await using server = await pluginServer(join(folder.path, "home"));
  await install(server, market.path);
  const cached = join(folder.path, "home/plugins/cache/market/tool/1.2.0");
  assert.match(readFileSync(join(cached, "skills/hello/SKILL.md"), "utf8"), /Say hello/);
  assert.equal(existsSync(mark), false);
  const strays = [...new Bun.Glob("**/outside").scanSync({ cwd: folder.path, dot: true })];
  assert.deepEqual(strays, []);
});

for (const [what, source, name, words] of [
  ["that is not there", { version: "9.9.9" }, "@me/tool", /`npm` failed[\s\S]*9\.9\.9/],
  ["that is another one", {}, "@you/tool", /`@you\/tool` is not `@me\/tool`/],
] as const) {
  test(`a package ${what} is not installed`, async () => {
    await using folder = await tempDir("quire-plugins-");
    await using market = await fromNpm(folder.path, source, packed(name, join(folder.path, "ran")));
    await using server = await pluginServer(join(folder.path, "home"));
    await assert.rejects(install(server, market.path), words);
    assert.equal(existsSync(join(folder.path, "home/plugins/cache/market/tool")), false);
    assert.deepEqual([...new Bun.Glob(".tmp/plugins-*").scanSync({ cwd: join(folder.path, "home"), dot: true })], []);
  });
}
