import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test("a user sees skills, what is wrong with some, and switches one off", async () => {
  await using host = await testServer({ model: "offline" });
  await using project = await tempDir();
  const greet = put(
    join(host.home, "skills/greet/SKILL.md"),
    "---\nname: greet\ndescription: Says hello\nmetadata:\n  short-description: Hello\n---\n",
  );
  const own = put(
    join(project.path, ".agents/skills/own/SKILL.md"),
    "---\nname: own\ndescription: Of the project\n---\n",
  );
  const bare = put(join(host.home, "skills/bare/SKILL.md"), "no head\n");
  const mute = put(join(host.home, "skills/mute/SKILL.md"), "---\nname: mute\n---\n");
  const { client } = host;
  const cwds = [project.path];
  const { data } = await client.request("skills/list", { cwds });
  const common = { enabled: true, pluginId: null };
  assert.deepEqual(data[0]?.skills, [
    { name: "own", description: "Of the project", path: own, scope: "repo", ...common },
    { name: "greet", description: "Says hello", shortDescription: "Hello", path: greet, scope: "user", ...common },
  ]);
  assert.deepEqual(new Set(data[0]?.errors.map(({ path }: { path: string }) => path)), new Set([bare, mute]));

  const enabledNow = async () =>
    (await client.request("skills/list", { cwds })).data[0]?.skills.map(
      ({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled],
    );
  assert.deepEqual(await client.request("skills/config/write", { name: "greet", enabled: false }), {
    effectiveEnabled: false,
  });
  assert.deepEqual(await enabledNow(), [
    ["own", true],
    ["greet", false],
  ]);
  await client.request("skills/config/write", { path: own, enabled: false });
  assert.deepEqual(await enabledNow(), [
    ["own", false],
    ["greet", false],
  ]);
  await client.request("skills/config/write", { name: "greet", enabled: true });
  assert.deepEqual(await enabledNow(), [
    ["own", false],
    ["greet", true],
  ]);
  assert.ok(!readFileSync(join(host.home, "config.toml"), "utf8").includes("greet"));
  await assert.rejects(client.request("skills/config/write", { enabled: true }), /exactly one of path or name/);
});

test("a client names further folders of skills for one folder, as earlier versions had it", async () => {
  await using host = await testServer({ model: "offline" });
  await using project = await tempDir();
  const text = "---\nname: shared\ndescription: Of all of us\n---\n";
  put(join(project.path, "shared/one/SKILL.md"), text);
  const { client } = host;
  const listed = async (cwd: string, root: string) => {
    const perCwdExtraUserRoots = [{ cwd, extraUserRoots: [root] }];
    const { data } = await client.request("skills/list", { cwds: [project.path], perCwdExtraUserRoots } as never);
    return data[0]?.skills.map(({ name }: { name: string }) => name);
  };
  assert.deepEqual(await listed(project.path, join(project.path, "shared")), ["shared"]);
  assert.deepEqual(await listed("/elsewhere", join(project.path, "shared")), []);
  await assert.rejects(listed(project.path, "shared"), /must be absolute: shared/);
});

test("a client that lists what can be chosen gets what this server has", async () => {
  await using host = await testServer({ model: "offline" });
  const { client } = host;
  const { data: modes } = await client.request("collaborationMode/list", {});
  assert.deepEqual(
    modes.map(({ mode }: { mode: string }) => mode),
    ["plan", "default"],
  );
  const first = await client.request("experimentalFeature/list", { limit: 2 });
  const rest = await client.request("experimentalFeature/list", { cursor: first.nextCursor ?? null });
  const all = [...first.data, ...rest.data];
  assert.equal(all.find(({ name }) => name === "shell_tool")?.enabled, true);
  assert.equal(all.find(({ name }) => name === "multi_agent")?.stage, "deprecated");
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  assert.deepEqual((await client.request("app/list", {})).data, []);
  assert.deepEqual((await client.request("plugin/list", {})).marketplaces, []);

  const hooks = async () => (await client.request("hooks/list", { cwds: [host.home] })).data;
  assert.deepEqual(await hooks(), [{ cwd: host.home, hooks: [], warnings: [], errors: [] }]);
  put(join(host.home, "hooks.json"), "{");
  assert.match((await hooks())[0]?.warnings[0] ?? "", /hooks\.json/);
});
