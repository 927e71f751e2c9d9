/** Codex and our server on one home: what a user trusts by one of them, the other knows. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { codexVersion } from "@quire/protocol/version";
import { previewTrust, trustProject } from "@quire/server/startup";
import { mockResponses, type RealCodex, realCodex, skipWithoutCodex } from "@quire/testkit";
import { TestClient } from "../support/test-client.ts";
import { patient, quire } from "./support/stage.ts";

const skip = await skipWithoutCodex(codexVersion);

/** A repository in the workspace, with settings, a hook and a script. */
function repository({ cwd }: RealCodex): string {
  const root = join(cwd, "app");
  mkdirSync(join(root, ".codex"), { recursive: true });
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".codex/config.toml"), 'sandbox_mode = "read-only"\n');
  const hooks = { Stop: [{ hooks: [{ type: "command", command: "sh check.sh", timeout: 5 }] }] };
  writeFileSync(join(root, ".codex/hooks.json"), JSON.stringify({ hooks }));
  writeFileSync(join(root, "check.sh"), "true\n");
  return root;
}

/** Starts a server on the home, speaks with it, and ends it. */
async function speak<T>(codex: RealCodex, command: string, use: (client: TestClient) => Promise<T>): Promise<T> {
  const { args, env, cwd } = codex;
  await using client = new TestClient(spawnTransport({ command, args, env, cwd }));
  await client.initialize();
  return await use(client);
}

/** What holds in a project: what a new thread may do, and which of its hooks run. */
async function holds(client: TestClient, cwd: string) {
  const { sandbox } = await client.request("thread/start", { cwd });
  const { data } = await client.request("hooks/list", { cwds: [cwd] });
  return [sandbox.type, data[0].hooks.map((hook: { trustStatus: string }) => hook.trustStatus)];
}

describe("trust that is shared with Codex", { skip }, () => {
  test("Codex takes what quire trust has written, and starts on a home with records", patient, async () => {
    await using mock = await mockResponses();
    await using codex = await realCodex(codexVersion, { model: mock });
    const root = repository(codex);
    trustProject(codex.home, await previewTrust(codex.home, root));
    const expected = ["readOnly", ["trusted"]];
    assert.deepEqual(await speak(codex, quire, (client) => holds(client, root)), expected);
    assert.deepEqual(await speak(codex, codex.command, (client) => holds(client, root)), expected);
    assert.deepEqual(await speak(codex, quire, (client) => holds(client, root)), expected);
  });

  test("our server takes what Codex has written, as it is when it first sees it", patient, async () => {
    await using mock = await mockResponses();
    await using codex = await realCodex(codexVersion, { model: mock });
    const root = repository(codex);
    await speak(codex, codex.command, async (client) => {
      const write = (keyPath: string, value: unknown) =>
        client.request("config/value/write", { keyPath, value, mergeStrategy: "upsert" });
      await write(`projects.${JSON.stringify(root)}.trust_level`, "trusted");
      const { data } = await client.request("hooks/list", { cwds: [root] });
      const [{ key, currentHash }] = data[0].hooks;
      await write("hooks.state", { [key]: { trusted_hash: currentHash } });
      assert.deepEqual(await holds(client, root), ["readOnly", ["trusted"]]);
    });
    assert.deepEqual(await speak(codex, quire, (client) => holds(client, root)), ["readOnly", ["trusted"]]);
    writeFileSync(join(root, ".codex/config.toml"), 'sandbox_mode = "danger-full-access"\n');
    writeFileSync(join(root, "check.sh"), "touch evil\n");
    assert.deepEqual(await speak(codex, quire, (client) => holds(client, root)), ["readOnly", ["modified"]]);
    assert.match(readFileSync(join(codex.home, "config.toml"), "utf8"), /trust_level = "trusted"/);
  });
});
