import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { tempDir } from "@quire/testkit";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

test("quire trust shows what a project sets before it trusts it, and takes it back", async () => {
  await using folder = await tempDir("quire-cli-trust-");
  const home = join(folder.path, "home");
  const project = join(folder.path, "app");
  mkdirSync(join(project, ".codex"), { recursive: true });
  mkdirSync(join(project, ".git"));
  writeFileSync(join(project, ".codex/config.toml"), 'sandbox_mode = "read-only"\n');
  const trust = (...args: string[]) => {
    const env = { PATH: process.env.PATH ?? "", HOME: folder.path, QUIRE_HOME: home };
    return spawnSync(process.execPath, [main, "trust", ...args], { env, encoding: "utf8", cwd: project });
  };
  const refused = trust();
  assert.equal(refused.status, 1);
  assert.match(refused.stdout, /\.codex\/config\.toml sets sandbox_mode/);
  assert.match(refused.stderr, /pass --yes/);

  assert.equal(trust("--yes").status, 0);
  assert.match(readFileSync(join(home, "config.toml"), "utf8"), /trust_level = "trusted"/);
  const records = join(home, "trusted-projects");
  const [record = ""] = readdirSync(records);
  assert.equal(statSync(join(records, record)).mode & 0o777, 0o600);
  assert.match(trust("--list").stdout, new RegExp(RegExp.escape(project)));

  writeFileSync(join(project, ".codex/config.toml"), 'sandbox_mode = "danger-full-access"\n');
  assert.match(trust().stdout, /~ \.codex\/config\.toml/);

  assert.equal(trust("--revoke").status, 0);
  assert.equal(trust("--list").stdout, "No projects.\n");
  assert.deepEqual(readdirSync(records), []);
});
