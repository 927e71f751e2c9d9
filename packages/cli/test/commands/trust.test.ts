import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { tempDir } from "@quire/testkit";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

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

test("quire trust shows what would run, agrees to hooks as shown, and forgets those that are gone", async () => {
  await using folder = await tempDir("quire-cli-trust-");
  const home = join(folder.path, "home");
  const project = join(folder.path, "app");
  mkdirSync(join(project, ".codex"), { recursive: true });
  mkdirSync(join(project, ".git"));
  writeFileSync(join(project, ".codex/config.toml"), '[mcp_servers.db]\ncommand = "node"\nargs = ["db.js"]\n');
  const hooks = (...commands: string[]) =>
    writeFileSync(
      join(project, ".codex/hooks.json"),
      JSON.stringify({
        hooks: { Stop: [{ hooks: commands.map((command) => ({ type: "command", command })) }] },
      }),
    );
  hooks("make check", "printf '\u202e\\nhi'");
  const trust = (...args: string[]) => {
    const env = { PATH: process.env.PATH ?? "", HOME: folder.path, QUIRE_HOME: home };
    return spawnSync(process.execPath, [main, "trust", ...args], { env, encoding: "utf8", cwd: project }).stdout;
  };
  const shown = trust("--yes");
  assert.match(shown, /\.codex\/config\.toml: the MCP server db runs node db\.js/);
  assert.match(shown, /\+ \.codex\/hooks\.json: on Stop runs make check/);
  assert.doesNotMatch(shown, /\u202e/);
  const states = () => readFileSync(join(home, "config.toml"), "utf8").match(/trusted_hash/g)?.length ?? 0;
  assert.equal(states(), 2);
  assert.doesNotMatch(trust("--yes"), /^ {2}\+/m);
  hooks("make check");
  assert.match(trust("--yes"), /- the hook .*hooks\.json:stop:0:1/);
  assert.equal(states(), 1);
});

test("quire trust says what to do where the home cannot be written, and when a record cannot be read", async () => {
  await using folder = await tempDir("quire-cli-trust-");
  const home = join(folder.path, "home");
  const project = join(folder.path, "app");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(home);
  const trust = (...args: string[]) => {
    const env = { PATH: process.env.PATH ?? "", HOME: folder.path, QUIRE_HOME: home };
    return spawnSync(process.execPath, [main, "trust", ...args], { env, encoding: "utf8", cwd: project });
  };
  writeFileSync(join(home, "trusted-projects"), "in the way");
  const refused = trust("--yes");
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /trusted-projects cannot be written: .* Check that it may be\./);
  rmSync(join(home, "trusted-projects"));
  assert.equal(trust("--yes").status, 0);
  const records = join(home, "trusted-projects");
  const [record = ""] = readdirSync(records);
  writeFileSync(join(records, record), "{");
  assert.match(trust("--list").stdout, /the record cannot be read: trust it again/);
  assert.equal(trust("--yes").status, 0);
  assert.match(trust("--list").stdout, /app {2}\d{4}-/);
});
