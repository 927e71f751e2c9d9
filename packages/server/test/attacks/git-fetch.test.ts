/** Attacks: git that fetches marketplaces and plugins. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { fetchGit } from "../../src/git/fetch-git.ts";
import { checkOut } from "../../src/plugins/check-out.ts";
import { git, type Repository, repository } from "./support/hostile-repository.ts";

/** As a remote the program has to end at once: git would wait for its answer. */
async function fetchingRepository(): Promise<Repository> {
  const made = await repository();
  writeFileSync(made.program, `#!/bin/sh\ntouch '${join(made.path, "ran")}'\nexit 1\n`);
  return made;
}

/** Fetches as for a marketplace, or with the plain git, in a repository where the server was started. */
async function fetchIn(cwd: string, guarded: boolean, { args, env }: { args: string[]; env?: Record<string, string> }) {
  const all = { ...process.env, ...env };
  if (!guarded) return void Bun.spawnSync(["git", ...args], { cwd, env: all, stdin: "ignore" });
  const before = process.cwd();
  process.chdir(cwd);
  try {
    await fetchGit(args, all).catch(() => undefined);
  } finally {
    process.chdir(before);
  }
}

attack("runs a program in place of SSH when a marketplace is looked up from a repository", async (guarded) => {
  await using made = await fetchingRepository();
  git(made.path, "config", "core.sshCommand", made.program);
  await fetchIn(made.path, guarded, { args: ["ls-remote", "--", "ssh://127.0.0.1:9/x", "HEAD"] });
  return made.ran();
});

attack("runs a program by an address that the repository has another stand for", async (guarded) => {
  await using made = await fetchingRepository();
  git(made.path, "config", `url.ext::${made.program} .insteadOf`, "file:///nowhere/");
  git(made.path, "config", "protocol.ext.allow", "always");
  await fetchIn(made.path, guarded, { args: ["ls-remote", "--", "file:///nowhere/x", "HEAD"] });
  return made.ran();
});

attack("runs a program by the address of a plugin, where the user allows such addresses", async (guarded) => {
  await using made = await fetchingRepository();
  const settings = join(made.path, "user.config");
  writeFileSync(settings, "[protocol]\n\tallow = always\n");
  const env = { GIT_CONFIG_GLOBAL: settings };
  await fetchIn(made.path, guarded, { args: ["ls-remote", "--", `ext::${made.program}`, "HEAD"], env });
  return made.ran();
});

attack("runs a hook when a plugin is cloned, by a variable of the server's", async (guarded) => {
  await using made = await fetchingRepository();
  await using elsewhere = await tempDir("quire-elsewhere-");
  const hooks = join(elsewhere.path, "template", "hooks");
  mkdirSync(hooks, { recursive: true });
  symlinkSync(made.program, join(hooks, "post-checkout"));
  const args = ["clone", "--quiet", "--", `file://${made.path}`, join(elsewhere.path, "clone")];
  await fetchIn(made.path, guarded, { args, env: { GIT_TEMPLATE_DIR: join(elsewhere.path, "template") } });
  assert.ok(existsSync(join(elsewhere.path, "clone", "a.txt")), "cloned");
  return made.ran();
});

test("a commit of a plugin that git would take for an option is refused", async () => {
  const wanted = { url: "file:///nowhere", refName: null, sha: "--orphan=x", into: "/nowhere/x" };
  await assert.rejects(checkOut(wanted, process.env), /is not a commit/);
});
