import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkStrictConfig } from "@quire/server/startup";
import { tempDir } from "@quire/testkit";
import { embedded } from "../support/embedded.ts";
import { Talk } from "../support/talk.ts";

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
  await using host = await embedded({
    requirementsFile,
    configOverrides: { approval_policy: "never", sandbox_mode: "danger-full-access" },
  });
  const talk = new Talk(await host.connect(), ["warning"]);
  const opened = await talk.call("thread/start", { cwd: folder.path, approvalPolicy: "never" });
  assert.deepEqual([opened.approvalPolicy, opened.sandbox.type], ["on-request", "readOnly"]);
  assert.match((await talk.told("warning")).message, /approval_policy/);
  const input = [{ type: "text", text: "help", text_elements: [] }];
  const forbidden = { threadId: opened.thread.id, input, sandboxPolicy: { type: "dangerFullAccess" } };
  await assert.rejects(talk.call("turn/start", forbidden), /sandbox_mode/);
  const { requirements } = await talk.call("configRequirements/read");
  assert.deepEqual(requirements.featureRequirements, { multi_agent: false });
  const profiles = await talk.call("permissionProfile/list", {});
  assert.deepEqual(
    profiles.data.map((each: { allowed: boolean }) => each.allowed),
    [true, true, false],
  );
  const write = { keyPath: "features.multi_agent", value: true, mergeStrategy: "replace" };
  await assert.rejects(talk.call("config/value/write", write), /multi_agent/);
  const { data } = await talk.call("hooks/list", { cwds: [folder.path] });
  assert.deepEqual(
    data[0].hooks.map((hook: { trustStatus: string }) => hook.trustStatus),
    ["managed"],
  );
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
