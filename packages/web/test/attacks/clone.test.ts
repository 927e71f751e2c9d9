/** Attacks: repositories that the page clones. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { cloneScript } from "../../src/scripts/clone-script.ts";
import { type GitPlace, gitPlace } from "./support/git-place.ts";

/** Clones an address, by ours or as git does it where everything is allowed. */
async function clone(at: GitPlace, guarded: boolean, address: string): Promise<void> {
  if (guarded) return void (await at.run(cloneScript, { env: { URL: address } }));
  const allowed = ["-c", "protocol.ext.allow=always", "clone", "-q", "--recurse-submodules", address];
  try {
    execFileSync("git", allowed, { cwd: at.top, env: { ...at.env, GIT_CONFIG_COUNT: "0" }, stdio: "ignore" });
  } catch {
    // What it runs need not be a repository.
  }
}

attack("runs a program by the address of a repository to clone", async (guarded) => {
  await using at = await gitPlace();
  await clone(at, guarded, `ext::touch ${at.mark}`);
  return existsSync(at.mark);
});

attack("passes an option to git by the address of a repository to clone", async (guarded) => {
  await using at = await gitPlace();
  const address = `--upload-pack=touch '${at.mark}';`;
  if (guarded) await clone(at, true, address);
  else await at.run(`git clone -q "${address}" . elsewhere`, {});
  return existsSync(at.mark);
});

attack("runs a hook that the user's template brings along when a repository is cloned", async (guarded) => {
  await using at = await gitPlace();
  const hooks = join(at.dir.path, "template", "hooks");
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, "post-checkout"), `#!/bin/sh\n: > '${at.mark}'\n`, { mode: 0o755 });
  at.git("config", "--global", "init.templateDir", join(at.dir.path, "template"));
  at.git("clone", "-q", "--bare", "--template=", at.top, join(at.dir.path, "other.git"));
  await clone(at, guarded, join(at.dir.path, "other.git"));
  return existsSync(at.mark);
});

attack("has a lost object of a repository to clone fetched by a program of its choice", async (guarded) => {
  await using at = await gitPlace();
  const evil = join(at.dir.path, "evil");
  at.git("clone", "-q", at.top, evil);
  const blob = at.git("-C", evil, "rev-parse", "HEAD:file");
  const settings = { "core.repositoryformatversion": "1", "extensions.partialClone": "origin" };
  const remote = { "remote.origin.promisor": "true", "remote.origin.uploadpack": `touch '${at.mark}'; false` };
  for (const [key, value] of Object.entries({ ...settings, ...remote })) at.git("-C", evil, "config", key, value);
  const lost = join(evil, ".git", "objects", blob.slice(0, 2), blob.slice(2));
  if (existsSync(lost)) execFileSync("rm", ["-f", lost]);
  // Newer versions of git look for nothing here unless they are told to.
  if (guarded) await clone(at, true, `file://${evil}`);
  else await at.run(`cd '${evil}' && git cat-file -p ${blob}`, {});
  return existsSync(at.mark);
});

attack("has a repository cloned over what a link leads to", async (guarded) => {
  await using at = await gitPlace();
  const [evil, other] = [join(at.dir.path, "evil"), join(at.dir.path, "other")];
  at.git("clone", "-q", at.top, evil);
  writeFileSync(join(evil, "file"), "evil\n");
  at.git("-C", evil, "commit", "-qam", "Evil");
  mkdirSync(other);
  symlinkSync(other, join(at.top, "evil"));
  if (guarded) await clone(at, true, evil);
  else execFileSync("git", ["clone", "-q", evil, "evil"], { cwd: at.top, env: at.env });
  return existsSync(join(other, "file")) && readFileSync(join(other, "file"), "utf8") === "evil\n";
});
