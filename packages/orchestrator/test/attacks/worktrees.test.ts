/** Attacks: git worktrees of the orchestrator. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addWorktree } from "@quire/orchestrator";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { runHook } from "../../src/workspace/run-hook.ts";
import { ownGit } from "../../src/workspace/safe-git.ts";
import { Workspaces } from "../../src/workspace/workspaces.ts";

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, stdio: "pipe" });

/** Makes a worktree of a repository that the attacker prepared, as a process of its own; says whether his program ran. */
async function runsByCheckout(guarded: boolean, prepare: (repository: string, script: string) => void) {
  await using dir = await tempDir();
  const [repository, folder, ran] = ["repo", "A", "ran"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  git(dir.path, "init", "-q", repository);
  writeFileSync(join(repository, "a"), "1");
  prepare(repository, `#!/bin/sh\ntouch '${ran}'\n`);
  git(repository, "add", "-A");
  git(repository, "commit", "-q", "-m", "first");
  rmSync(ran, { force: true });
  if (guarded) {
    mkdirSync(folder);
    await addWorktree({ repository, folder });
  } else execFileSync("git", ["worktree", "add", "-q", "-b", "x", folder], { cwd: repository });
  return existsSync(ran);
}

const script = (path: string, text: string) => {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
};
attack("runs a hook that a branch holds when its workspace is made", (guarded) =>
  runsByCheckout(guarded, (repository, text) => {
    git(repository, "config", "core.hooksPath", ".husky");
    script(join(repository, ".husky", "post-checkout"), text);
  }),
);
attack("runs a hook of the repository when a workspace is made", (guarded) =>
  runsByCheckout(guarded, (repository, text) => script(join(repository, ".git", "hooks", "post-checkout"), text)),
);
attack("has work pushed to main by the branch that it starts from", async (guarded) => {
  await using dir = await tempDir();
  const [origin, app, folder] = ["origin", "app", "A"].map((name) => join(dir.path, name)) as [string, string, string];
  git(dir.path, "init", "-q", "-b", "main", origin);
  git(origin, "commit", "-q", "--allow-empty", "-m", "first");
  git(dir.path, "clone", "-q", origin, app);
  mkdirSync(folder);
  if (guarded) await addWorktree({ repository: app, folder, from: "origin/main" });
  else git(app, "worktree", "add", "-q", "-b", "quire/A", folder, "origin/main");
  return git(app, "for-each-ref", "--format=%(upstream)", "refs/heads/quire/A").toString().trim() !== "";
});
attack("passes an option to git by the name of a branch", async (guarded) => {
  await using dir = await tempDir();
  const [repository, folder] = [join(dir.path, "repo"), join(dir.path, "A")];
  git(dir.path, "init", "-q", repository);
  git(repository, "commit", "-q", "--allow-empty", "-m", "first");
  mkdirSync(folder);
  if (guarded) await addWorktree({ repository, folder, from: "--detach" }).catch(() => undefined);
  else git(repository, "worktree", "add", "-q", folder, "--detach");
  return existsSync(join(folder, ".git"));
});
attack("has another repository used by a variable of git", async (guarded) => {
  await using dir = await tempDir();
  const [repository, other, folder] = ["repo", "other", "A"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [repository, other]) {
    git(dir.path, "init", "-q", path);
    git(path, "commit", "-q", "--allow-empty", "-m", path);
  }
  mkdirSync(folder);
  const env = { ...process.env, GIT_DIR: join(other, ".git") };
  if (guarded) execFileSync(process.execPath, ["-e", add, repository, folder], { env });
  else execFileSync("git", ["-C", repository, "worktree", "add", "-q", "-b", "x", folder], { env });
  return git(folder, "log", "--format=%s").toString().trim() === other;
});
const worktreeModule = JSON.stringify(join(import.meta.dirname, "../../src/workspace/worktree.ts"));
const add = `const { addWorktree } = await import(${worktreeModule}); const [repository, folder] = process.argv.slice(-2); await addWorktree({ repository, folder });`;

attack("runs a hook that the agent wrote by a commit after its run", async (guarded) => {
  await using dir = await tempDir();
  const [root, ran] = [join(dir.path, "root"), join(dir.path, "ran")];
  const cwd = join(root, "A");
  mkdirSync(root, { mode: 0o700 });
  git(root, "init", "-q", cwd);
  git(cwd, "config", "core.hooksPath", ".husky");
  chmodSync(cwd, 0o700);
  script(join(cwd, ".husky", "pre-commit"), `#!/bin/sh\ntouch '${ran}'\n`);
  const commit = "git -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m saved";
  const hooks = { afterCreate: null, beforeRun: null, afterRun: commit, beforeRemove: null, timeoutMs: 60_000 };
  const env = { PATH: process.env.PATH, HOME: dir.path };
  if (guarded) await new Workspaces({ root, hooks, env, log: () => {} }).afterRun(cwd);
  else await runHook({ name: "after_run", script: commit, cwd, env, timeoutMs: 60_000 });
  git(cwd, "rev-parse", "HEAD");
  return existsSync(ran);
});

attack("is handed a push's credential as a git by a relative entry of PATH", async (guarded) => {
  await using dir = await tempDir();
  const ran = join(dir.path, "ran");
  mkdirSync(join(dir.path, "bin"));
  writeFileSync(join(dir.path, "bin", "git"), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  const [cwd, path] = [process.cwd(), process.env.PATH];
  process.chdir(dir.path);
  process.env.PATH = `bin:${path}`;
  try {
    if (guarded) await ownGit(dir.path, ["--version"], { settings: { "http.x.extraHeader": "secret" } });
    else execFileSync("git", ["--version"], { env: { PATH: process.env.PATH } });
  } finally {
    process.chdir(cwd);
    process.env.PATH = path;
  }
  return existsSync(ran);
});
