import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { queryGit } from "../../src/git/query-git.ts";
import { diffToRemote } from "../../src/thread/git-diff.ts";
import { gitInfo } from "../../src/thread/git-info.ts";
import { withoutCredentials } from "../../src/thread/without-credentials.ts";

test("the password in a remote's address is told to nobody", async () => {
  for (const [address, told] of [
    ["https://me:hunter2@example.org/x.git", "https://example.org/x.git"],
    ["HTTPS://hunter2@Example.org/X?a=@b", "HTTPS://Example.org/X?a=@b"],
    ["https://example.org/a@b", "https://example.org/a@b"],
    ["https://me:hunter2@ex ample/x", null],
    ["ssh://git@example.org/x.git", "ssh://git@example.org/x.git"],
    ["ssh://git:hunter2@example.org:2222/x.git", "ssh://git@example.org:2222/x.git"],
    ["git@example.org:x/y.git", "git@example.org:x/y.git"],
    ["/srv/x y.git", "/srv/x y.git"],
  ] as const) {
    assert.equal(withoutCredentials(address), told, address);
  }
  await using folder = await tempDir("quire-git-");
  Bun.spawnSync(["git", "-C", folder.path, "init", "-q"]);
  Bun.spawnSync(["git", "-C", folder.path, "remote", "add", "origin", "https://me:hunter2@example.org/x.git"]);
  assert.equal((await gitInfo(folder.path))?.originUrl, "https://example.org/x.git");
});

test("looking at a repository starts no program that it names, and hands on no keys", async () => {
  await using folder = await tempDir("quire-git-");
  await using home = await tempDir("quire-git-home-");
  const { path: cwd } = folder;
  const run = (...args: string[]) =>
    assert.equal(
      Bun.spawnSync(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", cwd, ...args]).exitCode,
      0,
      args.join(" "),
    );
  const script = join(cwd, "watcher.sh");
  const ran = join(cwd, "ran");
  run("init", "-q");
  writeFileSync(join(cwd, "a.txt"), "one\n");
  run("add", "a.txt");
  run("commit", "-q", "-m", "first");
  run("update-ref", "refs/remotes/origin/main", "HEAD");
  writeFileSync(join(cwd, "a.txt"), "two\n");
  writeFileSync(script, `#!/bin/sh\nenv > '${ran}'\n`);
  chmodSync(script, 0o755);
  run("config", "core.fsmonitor", script);
  run("config", "diff.external", script);
  assert.match((await diffToRemote(cwd, home.path))?.diff ?? "", /-one\n\+two/);
  assert.ok(!existsSync(ran), "a program of the repository has run");
  // What git itself is given, as an alias that somebody else has set up would see it.
  process.env.SOME_API_KEY = "sk-not-for-git";
  try {
    const seen = await queryGit({ cwd, home: home.path, script: `"$git" -c alias.seen=!env seen`, timeoutMs: 30_000 });
    assert.match(seen ?? "", /GIT_OPTIONAL_LOCKS=0/);
    assert.doesNotMatch(seen ?? "", /sk-not-for-git/);
  } finally {
    delete process.env.SOME_API_KEY;
  }
});

test("changes are shown since the nearest commit that any remote branch has, and new files with them", async () => {
  await using folder = await tempDir("quire-git-");
  await using home = await tempDir("quire-git-home-");
  const { path: cwd } = folder;
  const run = (...args: string[]): string => {
    const { exitCode, stdout } = Bun.spawnSync([
      "git",
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@x",
      "-C",
      cwd,
      ...args,
    ]);
    assert.equal(exitCode, 0, args.join(" "));
    return stdout.toString().trim();
  };
  const commit = (name: string): string => {
    writeFileSync(join(cwd, name), `${name}\n`);
    run("add", name);
    run("commit", "-q", "-m", name);
    return run("rev-parse", "HEAD");
  };
  run("init", "-q");
  assert.equal(await diffToRemote(cwd, home.path), undefined, "no commit yet");
  const first = commit("first");
  assert.equal(await diffToRemote(cwd, home.path), undefined, "no remote yet");
  const second = commit("second");
  commit("third");
  // Both have gone on elsewhere since.
  const elsewhere = (parent: string) => run("commit-tree", "-p", parent, "-m", "elsewhere", "HEAD^{tree}");
  run("update-ref", "refs/remotes/origin/old", elsewhere(first));
  run("update-ref", "refs/remotes/origin/new", elsewhere(second));
  writeFileSync(join(cwd, "new\nfile"), "new\n");
  const shown = await diffToRemote(cwd, home.path);
  assert.equal(shown?.sha, second);
  assert.match(shown?.diff ?? "", /^diff --git a\/third b\/third\n/);
  assert.match(shown?.diff ?? "", /\+\+\+ "b\/new\\nfile"\n@@ -0,0 \+1 @@\n\+new\n$/);
  // One that is no commit does not keep the others from being looked at.
  run("update-ref", "refs/remotes/origin/tree", "HEAD^{tree}");
  assert.equal((await diffToRemote(cwd, home.path))?.sha, second);
  run("update-ref", "refs/remotes/origin/newest", "HEAD");
  assert.equal((await diffToRemote(cwd, home.path))?.sha, run("rev-parse", "HEAD"));
  assert.deepEqual(readdirSync(join(home.path, ".tmp")), [], "nothing is left behind");
});
