import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { TestClient } from "../support/test-client.ts";
import { testServer } from "../support/test-server.ts";

const write = (client: TestClient, keyPath: string, value: unknown) =>
  client.request("config/value/write", { keyPath, value, mergeStrategy: "replace" });

test("a client reads the config, where its values come from, and what it wrote", async () => {
  await using host = await testServer({ model: "offline" });
  const file = join(host.home, "config.toml");
  writeFileSync(file, '# mine\nmodel = "one"\n');
  const { client } = host;
  const before = await client.request("config/read", { includeLayers: true });
  assert.equal(before.config.model, "one");
  assert.equal(before.config.sandbox_mode, null);
  assert.deepEqual(before.origins.model?.name, { type: "user", file, profile: null });
  assert.deepEqual(before.layers?.at(-1)?.config, { model: "one" });

  const expectedVersion = before.layers?.at(-1)?.version ?? "";
  const edits = [
    { keyPath: "model", value: "two", mergeStrategy: "replace" as const },
    { keyPath: 'projects."/x.y".trust_level', value: "trusted", mergeStrategy: "upsert" as const },
  ];
  const written = await client.request("config/batchWrite", { edits, expectedVersion });
  assert.deepEqual([written.status, written.filePath], ["ok", file]);
  assert.equal(readFileSync(file, "utf8"), '# mine\nmodel = "two"\n\n[projects."/x.y"]\ntrust_level = "trusted"\n');
  assert.equal((await client.request("config/read", {})).config.model, "two");
  const again = client.request("config/batchWrite", { edits, expectedVersion });
  await assert.rejects(again, { data: { config_write_error_code: "configVersionConflict" } });
});

test("what cannot be used is not written, and says why", async () => {
  await using host = await testServer({ model: "offline" });
  const file = join(host.home, "config.toml");
  writeFileSync(file, 'model = "one"\n');
  const { client } = host;
  await assert.rejects(write(client, "model", 5), /Invalid configuration: .*expected a string/);
  await assert.rejects(write(client, "", 5), /keyPath must not be empty/);
  await assert.rejects(write(client, "default_permissions", ":all"), /no permission profile/);
  const elsewhere = { keyPath: "model", value: "x", mergeStrategy: "replace", filePath: "/tmp/other.toml" } as const;
  await assert.rejects(client.request("config/value/write", elsewhere), /Only writes to the user config/);
  assert.equal(readFileSync(file, "utf8"), 'model = "one"\n');
});

test("a client hears that the command line outweighs what it wrote", async () => {
  await using host = await testServer({ model: "offline", configOverrides: { model: "given" } });
  const { client } = host;
  const written = await write(client, "model", "written");
  assert.equal(written.status, "okOverridden");
  assert.equal(written.overriddenMetadata?.effectiveValue, "given");
});

test("permissions are chosen by profile, and one that is not known changes nothing", async () => {
  await using host = await testServer({ model: "offline" });
  const { client } = host;
  const { data } = await client.request("permissionProfile/list", {});
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [":read-only", ":workspace", ":danger-full-access"],
  );
  const started = await client.request("thread/start", { permissions: ":danger-full-access" });
  const threadId = started.thread.id;
  assert.deepEqual(started.sandbox, { type: "dangerFullAccess" });
  assert.deepEqual(started.activePermissionProfile, { id: ":danger-full-access", extends: null });

  const told = new Promise<unknown>((resolve) => client.on("thread/settings/updated", resolve as never));
  await assert.rejects(
    client.request("thread/settings/update", { threadId, permissions: ":nope" }),
    /no permission profile/,
  );
  await client.request("thread/settings/update", { threadId, permissions: ":read-only" });
  const { threadSettings } = (await told) as { threadSettings: Record<string, unknown> };
  assert.deepEqual(threadSettings.sandboxPolicy, { type: "readOnly", networkAccess: false });
  assert.deepEqual(threadSettings.activePermissionProfile, { id: ":read-only", extends: null });
  const both = { threadId, permissions: ":workspace", sandboxPolicy: { type: "dangerFullAccess" } } as const;
  await assert.rejects(client.request("thread/settings/update", both), /cannot be combined/);
});
