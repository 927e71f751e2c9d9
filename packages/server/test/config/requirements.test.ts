import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkStrictConfig } from "@quire/server/startup";
import { codexConfigToml, mockResponses, reply, tempDir } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";

const required = `
allowed_approval_policies = ["on-request", "untrusted"]
allowed_sandbox_modes = ["read-only", "workspace-write"]
[features]
multi_agent = false
[[hooks.Stop]]
hooks = [{ type = "command", command = "true" }]
`;

test("a user cannot choose what an administrator forbids", async () => {
  await using folder = await tempDir("quire-required-");
  const requirementsFile = join(folder.path, "requirements.toml");
  writeFileSync(requirementsFile, required);
  await using host = await testServer({
    model: "offline",
    requirementsFile,
    configOverrides: { approval_policy: "never", sandbox_mode: "danger-full-access" },
  });
  const talk = host.client;
  const opened = await talk.request("thread/start", { cwd: folder.path, approvalPolicy: "never" });
  assert.deepEqual([opened.approvalPolicy, opened.sandbox.type], ["on-request", "readOnly"]);
  assert.match((await talk.waitFor("warning")).message, /approval_policy/);
  const input = [{ type: "text", text: "help", text_elements: [] }];
  const forbidden = { threadId: opened.thread.id, input, sandboxPolicy: { type: "dangerFullAccess" } };
  await assert.rejects(talk.request("turn/start", forbidden), /sandbox_mode/);
  const { requirements } = await talk.request("configRequirements/read");
  assert.deepEqual(requirements.featureRequirements, { multi_agent: false });
  const profiles = await talk.request("permissionProfile/list", {});
  assert.deepEqual(
    profiles.data.map((each: { allowed: boolean }) => each.allowed),
    [true, true, false],
  );
  const write = { keyPath: "features.multi_agent", value: true, mergeStrategy: "replace" };
  await assert.rejects(talk.request("config/value/write", write), /multi_agent/);
  const { data } = await talk.request("hooks/list", { cwds: [folder.path] });
  assert.deepEqual(
    data[0].hooks.map((hook: { trustStatus: string }) => hook.trustStatus),
    ["managed"],
  );
});

test("what an administrator adds is told to the model beside a client's words, and what cannot be kept to, to clients", async () => {
  await using folder = await tempDir("quire-required-");
  const requirementsFile = join(folder.path, "requirements.toml");
  writeFileSync(
    requirementsFile,
    'additional_developer_instructions = "Obey the house rules."\nenforce_residency = "us"\n[experimental_network]\nenabled = true\n',
  );
  await using model = await mockResponses();
  const home = join(folder.path, "home");
  mkdirSync(home);
  writeFileSync(join(home, "config.toml"), codexConfigToml({ baseUrl: model.url }));
  await using host = await testServer({ requirementsFile, home });
  const talk = host.client;
  model.script(reply().text("ok"));
  await talk.turn(await talk.thread({ cwd: folder.path, developerInstructions: "Be brief." }));
  const sent = JSON.stringify(model.requests[0]?.body.input);
  assert.match(sent, /Be brief\./);
  assert.match(sent, /Obey the house rules\./);
  const { summary } = await talk.waitFor("configWarning", ({ summary }) => summary.includes("requirements.toml"));
  assert.match(summary, /not enforced by this server: `enforce_residency`, `experimental_network`/);
});

test("a strict server names the field that nobody knows, and where it stands", async () => {
  await using folder = await tempDir("quire-strict-");
  const write = (text: string) => writeFileSync(join(folder.path, "config.toml"), text);
  const check = () => checkStrictConfig({ home: folder.path, env: {} });
  write('model = "x"\n[mcp_servers.a]\ncommand = "true"\n');
  check();
  write('model = "x"\nmodle = "y"\n');
  assert.throws(check, /config\.toml:2:1: unknown configuration field `modle`/);
  write('[mcp_servers.a]\ncommand = "true"\nargz = []\n');
  assert.throws(check, /`mcp_servers\.a\.argz`/);
});

test("a profile of one's own allows what it says, and none is taken that the sandbox cannot keep to", async () => {
  await using folder = await tempDir("quire-profiles-");
  const config = `
[permissions.dev]
description = "For work"
[permissions.dev.filesystem]
":root" = "read"
"/var/tmp" = "write"
[permissions.dev.filesystem.":workspace_roots"]
"." = "write"
[permissions.dev.network]
enabled = true
[permissions.child]
extends = "dev"
[permissions.child.network]
enabled = false
[permissions.look]
extends = ":read-only"
[permissions.hiding]
extends = ":workspace"
[permissions.hiding.filesystem]
"/etc" = "deny"
[permissions.round]
extends = "round"
`;
  const home = join(folder.path, "home");
  mkdirSync(home);
  writeFileSync(join(home, "config.toml"), config);
  await using host = await testServer({ home, requirementsFile: join(folder.path, "none") });
  const talk = host.client;
  const { data } = await talk.request("permissionProfile/list", {});
  assert.deepEqual(
    data.slice(3).map((each: { id: string }) => each.id),
    ["child", "dev", "hiding", "look", "round"],
  );
  const start = (permissions: string) => talk.request("thread/start", { cwd: folder.path, permissions });
  const dev = await start("dev");
  assert.deepEqual([dev.sandbox.writableRoots, dev.sandbox.networkAccess], [["/var/tmp"], true]);
  const child = await start("child");
  assert.deepEqual([child.sandbox.writableRoots, child.sandbox.networkAccess], [["/var/tmp"], false]);
  assert.deepEqual(child.activePermissionProfile, { id: "child", extends: "dev" });
  assert.equal((await start("look")).sandbox.type, "readOnly");
  await assert.rejects(start("hiding"), /\/etc/);
  await assert.rejects(start("round"), /extends itself/);
  await assert.rejects(start("nope"), /no permission profile/);
});
