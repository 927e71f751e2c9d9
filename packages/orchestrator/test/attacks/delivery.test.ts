/** Attacks: delivery. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { Outbox } from "../../src/deliver/outbox.ts";
import { localExecutor } from "../../src/executor/local-executor.ts";
import { Agreement } from "../../src/workflow/agreement.ts";
import { readSettings } from "../../src/workflow/load-workflow.ts";
import { MemoryTracker } from "../support/memory-tracker.ts";
import { workflowText } from "../support/place.ts";
import { bareRepository, gitIn } from "../support/repository.ts";

/** A workspace whose repository an agent configured, and its push by ours or by git in the workspace. */
async function pushes(guarded: boolean, configure: (workspace: string, path: string) => void) {
  const dir = await tempDir();
  const origin = bareRepository(dir.path);
  const workspace = join(dir.path, "A");
  gitIn(dir.path, "clone", "-q", origin.path, workspace);
  writeFileSync(join(workspace, "made"), "1");
  configure(workspace, dir.path);
  const author = { name: "Quire", mail: "quire@localhost" };
  const signal = new AbortController().signal;
  const outbox = new Outbox({
    folder: join(dir.path, "outbox"),
    remote: origin.path,
    credential: null,
    base: "main",
    author,
    signal,
  });
  if (guarded) {
    await outbox.commitRest(workspace, "made", localExecutor);
    await outbox.push({ workspace, branch: "quire/A", known: null, executor: localExecutor });
  } else {
    const run = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@e.org", ...args], {
        cwd: workspace,
        stdio: "ignore",
      });
    run("add", "-A");
    run("commit", "-q", "-m", "made");
    try {
      run("push", "-q", origin.path, "HEAD:refs/heads/quire/A");
    } catch {
      // It went elsewhere.
    }
  }
  return { dir, origin };
}

attack("runs a program by a hook of its workspace when its work is committed or pushed", async (guarded) => {
  const { dir } = await pushes(guarded, (workspace, path) => {
    for (const name of ["pre-commit", "pre-push"]) {
      const hook = join(workspace, ".git", "hooks", name);
      mkdirSync(join(hook, ".."), { recursive: true });
      writeFileSync(hook, `#!/bin/sh\ntouch '${path}/ran'\n`);
      chmodSync(hook, 0o755);
    }
  });
  const ran = existsSync(join(dir.path, "ran"));
  await dir.remove();
  return ran;
});

attack("keeps its work from being delivered by a link in the place of a folder", async (guarded) => {
  const dir = await tempDir();
  const workspace = join(dir.path, "A");
  bareRepository(dir.path);
  gitIn(dir.path, "clone", "-q", "origin.git", workspace);
  mkdirSync(join(workspace, "folder"));
  writeFileSync(join(workspace, "folder", "file"), "1");
  gitIn(workspace, "add", "-A");
  gitIn(workspace, "-c", "user.name=t", "-c", "user.email=t@e.org", "commit", "-qm", "Folder");
  rmSync(join(workspace, "folder"), { recursive: true });
  symlinkSync("/usr/include", join(workspace, "folder"));
  writeFileSync(join(workspace, "made"), "1");
  const author = { name: "Quire", mail: "quire@localhost" };
  const { signal } = new AbortController();
  const at = { folder: join(dir.path, "outbox"), remote: join(dir.path, "origin.git") };
  const outbox = new Outbox({ ...at, credential: null, base: "main", author, signal });
  if (guarded) await outbox.commitRest(workspace, "made", localExecutor);
  else {
    const input = gitIn(workspace, "ls-files", "-z", "--modified", "--others");
    const options = { cwd: workspace, input, stdio: ["pipe", "ignore", "ignore"] as ["pipe", "ignore", "ignore"] };
    assert.throws(() => execFileSync("git", ["update-index", "--add", "--remove", "-z", "--stdin"], options));
  }
  const delivered = gitIn(workspace, "ls-tree", "-r", "--name-only", "HEAD").split("\n");
  await dir.remove();
  return !(delivered.includes("made") && delivered.includes("folder"));
});

/** A new workspace that is to go on after what was pushed, in which the branch brings hooks along. */
attack("runs a hook that a branch brings along when its work is fetched into a new workspace", async (guarded) => {
  const dir = await tempDir();
  const workspace = join(dir.path, "A");
  const { path: remote } = bareRepository(dir.path);
  gitIn(dir.path, "clone", "-q", remote, workspace);
  const mark = join(dir.path, "ran");
  mkdirSync(join(workspace, ".githooks"));
  writeFileSync(join(workspace, ".githooks", "pre-receive"), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  // As an installation of packages sets it.
  gitIn(workspace, "config", "core.hooksPath", join(workspace, ".githooks"));
  gitIn(workspace, "checkout", "-q", "-b", "quire/A");
  gitIn(workspace, "-c", "user.name=t", "-c", "user.email=t@e.org", "commit", "-q", "--allow-empty", "-m", "More");
  gitIn(workspace, "push", "-q", remote, "quire/A");
  const known = gitIn(workspace, "rev-parse", "HEAD").trim();
  gitIn(workspace, "reset", "-q", "--hard", "HEAD~1");
  const author = { name: "Quire", mail: "quire@localhost" };
  const { signal } = new AbortController();
  const outbox = new Outbox({
    folder: join(dir.path, "outbox"),
    remote,
    credential: null,
    base: "main",
    author,
    signal,
  });
  if (guarded) {
    await outbox.restore({ workspace, branch: "quire/A", known, executor: localExecutor });
    assert.equal(gitIn(workspace, "rev-parse", "HEAD").trim(), known);
  } else gitIn(remote, "push", "-q", workspace, "+quire/A:refs/remotes/x");
  const ran = existsSync(mark);
  await dir.remove();
  return ran;
});

attack("leads the push to another repository by the configuration of its workspace", async (guarded) => {
  const { dir } = await pushes(guarded, (workspace, path) => {
    gitIn(path, "init", "-q", "--bare", join(path, "evil.git"));
    gitIn(workspace, "config", `url.${join(path, "evil.git")}.pushInsteadOf`, join(path, "origin.git"));
  });
  const branches = gitIn(join(dir.path, "evil.git"), "for-each-ref");
  await dir.remove();
  return branches !== "";
});

attack("runs a program by a filter of its workspace when its work is committed", async (guarded) => {
  const { dir } = await pushes(guarded, (workspace, path) => {
    gitIn(workspace, "config", "filter.evil.clean", `touch '${path}/ran'; cat`);
    writeFileSync(join(workspace, ".gitattributes"), "* filter=evil\n");
  });
  const ran = existsSync(join(dir.path, "ran"));
  await dir.remove();
  return ran;
});

/** A commit of all that is there, by ours or by git in the workspace, and another of what a repository below has become. */
async function commitsBelow(guarded: boolean, configure: (below: string, mark: string) => void) {
  const dir = await tempDir();
  const origin = bareRepository(dir.path);
  const workspace = join(dir.path, "A");
  const below = join(workspace, "below");
  gitIn(dir.path, "clone", "-q", origin.path, workspace);
  gitIn(workspace, "init", "-q", below);
  for (const name of ["one", "two"]) writeFileSync(join(below, name), "1\n");
  writeFileSync(join(below, ".gitattributes"), "* filter=evil\n");
  gitIn(below, "add", "-A");
  gitIn(below, "commit", "-q", "-m", "below");
  // Whoever writes it can have git look, whatever other settings say.
  writeFileSync(join(workspace, ".gitmodules"), '[submodule "below"]\n\tpath = below\n\tignore = none\n');
  const mark = join(dir.path, "ran");
  configure(below, mark);
  const outbox = new Outbox({
    folder: join(dir.path, "outbox"),
    remote: origin.path,
    credential: null,
    base: "main",
    author: { name: "Quire", mail: "quire@localhost" },
    signal: new AbortController().signal,
  });
  for (const time of [1, 2]) {
    writeFileSync(join(workspace, "made"), `${time}`);
    // As long as before, so that git has to read it.
    writeFileSync(join(below, "one"), `${time}\n`);
    utimesSync(join(below, "one"), time, time);
    if (guarded) await outbox.commitRest(workspace, "made", localExecutor);
    else {
      gitIn(workspace, "add", "--all");
      gitIn(workspace, "commit", "-q", "-m", "made");
    }
  }
  const ran = existsSync(mark);
  const commits = gitIn(workspace, "rev-list", "--count", "HEAD").trim();
  await dir.remove();
  return { ran, commits };
}

attack("runs a program by a filter of a repository below when work is committed", async (guarded) => {
  const { ran, commits } = await commitsBelow(guarded, (below, mark) =>
    gitIn(below, "config", "filter.evil.clean", `touch '${mark}'; cat`),
  );
  assert.equal(commits, "3", "the work was not committed");
  return ran;
});

attack("runs a program by the monitor of a repository below when work is committed", async (guarded) => {
  const { ran, commits } = await commitsBelow(guarded, (below, mark) =>
    gitIn(below, "config", "core.fsmonitor", `touch '${mark}'; false`),
  );
  assert.equal(commits, "3", "the work was not committed");
  return ran;
});

attack("has work merged without a review by a change of the workflow file", async (guarded) => {
  await using dir = await tempDir();
  const path = join(dir.path, "WORKFLOW.md");
  const guardedBy = (merge: string) => {
    const deliver = { to: "folder", remote: join(dir.path, "origin.git"), merge };
    writeFileSync(path, workflowText({ tracker: { kind: "memory" }, deliver }));
    return readSettings(path, readFileSync(path, "utf8"), {
      adapters: { memory: new MemoryTracker().adapter },
      env: {},
    });
  };
  const agreement = new Agreement();
  agreement.record(guardedBy("approved").guarded);
  const { guarded: changed, config } = guardedBy("green");
  if (guarded && agreement.changes(changed).length > 0) return false;
  return config.deliver?.merge === "green";
});
