import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { addWorktree, removeWorktree } from "@quire/orchestrator";
import { assertNoProcesses, random, tempDir } from "@quire/testkit";
import type { HooksConfig } from "../../src/workflow/config.ts";
import { WorkspaceError } from "../../src/workspace/workspace-error.ts";
import { workspaceKey } from "../../src/workspace/workspace-key.ts";
import { Workspaces, type WorkspacesOptions } from "../../src/workspace/workspaces.ts";
import { smallDisk } from "../support/small-disk.ts";

const noHooks: HooksConfig = {
  afterCreate: null,
  beforeRun: null,
  afterRun: null,
  beforeRemove: null,
  timeoutMs: 60_000,
};

async function setUp(hooks: Partial<HooksConfig> = {}, env: Record<string, string> = {}) {
  const dir = await tempDir();
  const root = join(dir.path, "root");
  mkdirSync(root);
  const logged: string[] = [];
  const workspaces = new Workspaces({
    root,
    hooks: { ...noHooks, ...hooks },
    env: { PATH: process.env.PATH, HOME: dir.path, ...env },
    log: (level, message, fields) => logged.push(level === "warn" ? message : `${message}: ${fields?.hook}`),
  });
  return { root, workspaces, logged, path: dir.path, [Symbol.asyncDispose]: () => dir.remove() };
}

/** Name of a variable that nothing else has; shells hand on names of letters, digits and underscores only. */
const newMark = () => `MARK_${process.pid}_${Math.random().toString(36).slice(2)}`;

const code = (wanted: string) => (error: unknown) => {
  assert.ok(error instanceof WorkspaceError, String(error));
  assert.equal(error.code, wanted);
  return true;
};

describe("17.2 keys", () => {
  test("a safe identifier is its own key; another gets a stable hash, so that no two share a folder", () => {
    assert.equal(workspaceKey("MT-649.a_b"), "MT-649.a_b");
    assert.match(workspaceKey("MT/649"), /^MT_649-[0-9a-f]{20}$/);
    assert.notEqual(workspaceKey("a/b"), workspaceKey("a_b"));
    assert.notEqual(workspaceKey("a/b"), workspaceKey("a:b"));
    assert.equal(workspaceKey("o/r#1"), workspaceKey("o/r#1"));
  });

  test("a key can be the name of a branch", () => {
    for (const identifier of ["a..b", "x.lock", "v1...2", "..", "x.LOCK", "end."]) {
      const key = workspaceKey(identifier);
      execFileSync("git", ["check-ref-format", `refs/heads/quire/${key}`]);
      assert.match(key, /-[0-9a-f]{20}$/);
    }
  });

  test("no identifier leads out of the root or into the orchestrator's own folder", (t) => {
    const { seed, int } = random();
    t.diagnostic(`seed ${seed}`);
    const pieces = ["..", ".", "/", "\\", "a", "~", "\0", "é", "😀", " ", ".quire-pending", "-", "x".repeat(300)];
    for (let round = 0; round < 500; round++) {
      const identifier = Array.from({ length: int(0, 6) }, () => pieces[int(0, pieces.length - 1)]).join("");
      const key = workspaceKey(identifier);
      assert.match(key, /^[A-Za-z0-9._-]{1,255}$/, identifier);
      assert.ok(![".", "..", ".quire-pending"].includes(key), identifier);
    }
  });
});

describe("17.2 workspaces", () => {
  test("the folder of an issue is always the same: made when missing, used again when there", async () => {
    await using at = await setUp();
    const first = await at.workspaces.prepare("A/1");
    assert.deepEqual([first.createdNow, first.path], [true, join(at.root, workspaceKey("A/1"))]);
    writeFileSync(join(first.path, "kept"), "x");
    const second = await at.workspaces.prepare("A/1");
    assert.deepEqual([second.createdNow, second.path], [false, first.path]);
    assert.ok(existsSync(join(first.path, "kept")));
  });

  test("a root that is missing is made", async () => {
    await using at = await setUp();
    const deep = new Workspaces({ root: join(at.root, "x", "y"), hooks: noHooks, env: {}, log: () => {} });
    assert.ok(existsSync((await deep.prepare("A")).path));
  });

  test("a file or a link in its place is refused and left as it is", async () => {
    await using at = await setUp();
    writeFileSync(join(at.root, "file"), "mine");
    mkdirSync(join(at.path, "outside"));
    symlinkSync(join(at.path, "outside"), join(at.root, "link"));
    await assert.rejects(at.workspaces.prepare("file"), code("invalid_workspace_cwd"));
    await assert.rejects(at.workspaces.prepare("link"), code("invalid_workspace_cwd"));
    await assert.rejects(at.workspaces.remove("link"), code("invalid_workspace_cwd"));
    assert.equal(readFileSync(join(at.root, "file"), "utf8"), "mine");
    assert.ok(existsSync(join(at.path, "outside")));
  });

  test("a root that others can change is refused, and nothing is made in it", async () => {
    await using at = await setUp();
    const refused = (root: string) =>
      assert.rejects(
        new Workspaces({ root, hooks: noHooks, env: {}, log: () => {} }).prepare("A"),
        code("unsafe_workspace_root"),
      );
    symlinkSync(at.root, join(at.path, "alias"));
    await refused(join(at.path, "alias"));
    chmodSync(at.root, 0o777);
    await refused(at.root);
    chmodSync(at.root, 0o755);
    chmodSync(at.path, 0o777);
    await refused(at.root);
    chmodSync(at.path, 0o755);
    assert.deepEqual(readdirSync(at.root), []);
    const { path } = await at.workspaces.prepare("A");
    assert.equal(statSync(path).mode & 0o777, 0o700);
    chmodSync(path, 0o777);
    await assert.rejects(at.workspaces.prepare("A"), code("invalid_workspace_cwd"));
  });

  for (const full of ["mkdir", "writeFile"] as const) {
    test(`a ${full} that finds no room is told as a full disk, and with room the workspace is made from its beginning`, async () => {
      await using at = await setUp();
      const root = join(at.path, "new-root");
      let room = false;
      const noRoom = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      const refuse = (call: string, path: unknown) => {
        if (!room && call === full && String(path).endsWith("/A")) throw noRoom;
      };
      const fs: WorkspacesOptions["fs"] = {
        writeFile: async (path, ...rest) => {
          refuse("writeFile", path);
          await writeFile(path, ...rest);
        },
        mkdir: (async (path: string, options: object) => {
          refuse("mkdir", path);
          return await mkdir(path, options);
        }) as typeof mkdir,
      };
      const hooks = { ...noHooks, afterCreate: "echo made >> ../made" };
      const workspaces = new Workspaces({ root, hooks, env: { PATH: process.env.PATH }, log: () => {}, fs });
      await assert.rejects(workspaces.prepare("A"), (error) => {
        assert.match((error as Error).message, /A could not be created: the disk is full: free some space/);
        return code("workspace_create_failed")(error);
      });
      assert.ok(!existsSync(join(root, "A")) && !existsSync(join(root, "made")));
      room = true;
      assert.equal((await workspaces.prepare("A")).createdNow, true);
      assert.equal((await workspaces.prepare("A")).createdNow, false);
      assert.equal(readFileSync(join(root, "made"), "utf8"), "made\n");
    });
  }

  test("a full disk is told as such, and leaves nothing half made", async (t) => {
    await using at = await setUp();
    await using full = await smallDisk(join(at.path, "full"));
    if (!full) return t.skip("mounting a small file system is not permitted here");
    const workspaces = new Workspaces({ root: full.path, hooks: noHooks, env: {}, log: () => {} });
    await assert.rejects(workspaces.prepare("A"), (error) => {
      assert.match((error as Error).message, /the disk is full/);
      return code("workspace_create_failed")(error);
    });
    assert.ok(!existsSync(join(full.path, "A")));
  });
});

describe("17.2 hooks", () => {
  test("after_create runs once, before_run each time, in the workspace, by a login shell", async () => {
    const note = (name: string) => `echo ${name} $PWD $QUIRE_ISSUE_IDENTIFIER >> ../log`;
    await using at = await setUp(
      { afterCreate: note("create"), beforeRun: note("before"), afterRun: note("after"), beforeRemove: note("remove") },
      { QUIRE_ISSUE_IDENTIFIER: "A" },
    );
    for (let run = 0; run < 2; run++) {
      const { path } = await at.workspaces.prepare("A");
      await at.workspaces.beforeRun(path);
      await at.workspaces.afterRun(path);
    }
    await at.workspaces.remove("A");
    const lines = readFileSync(join(at.root, "log"), "utf8").trim().split("\n");
    assert.deepEqual(
      lines,
      ["create", "before", "after", "before", "after", "remove"].map((name) => `${name} ${join(at.root, "A")} A`),
    );
    assert.ok(!existsSync(join(at.root, "A")));
  });

  test("a failing after_create fails the run with what it said, and the workspace is made anew next time", async () => {
    await using at = await setUp({ afterCreate: "touch half; echo no network >&2; exit 3" });
    await assert.rejects(at.workspaces.prepare("A"), (error) => {
      assert.match((error as Error).message, /hooks.after_create exited with 3; output: no network/);
      return code("hook_failed")(error);
    });
    assert.ok(!existsSync(join(at.root, "A")));
  });

  test("a workspace that was being made when the orchestrator was killed is made anew", async () => {
    await using at = await setUp({ afterCreate: "echo made >> made" });
    mkdirSync(join(at.root, ".quire-pending"));
    writeFileSync(join(at.root, ".quire-pending", "A"), "");
    mkdirSync(join(at.root, "A"));
    writeFileSync(join(at.root, "A", "half"), "");
    const { path, createdNow } = await at.workspaces.prepare("A");
    assert.ok(createdNow && existsSync(join(path, "made")) && !existsSync(join(path, "half")));
    assert.equal((await at.workspaces.prepare("A")).createdNow, false);
  });

  test("a failing before_run fails the run; failing after_run and before_remove are only logged", async () => {
    await using at = await setUp({ beforeRun: "exit 1", afterRun: "exit 2", beforeRemove: "exit 3" });
    const { path } = await at.workspaces.prepare("A");
    await assert.rejects(at.workspaces.beforeRun(path), code("hook_failed"));
    await at.workspaces.afterRun(path);
    assert.equal(await at.workspaces.remove("A"), true);
    assert.ok(!existsSync(path));
    assert.deepEqual(at.logged, [
      "hook started: before_run",
      "hook started: after_run",
      "hooks.after_run exited with 2",
      "hook started: before_remove",
      "hooks.before_remove exited with 3",
    ]);
  });

  test("a hook that takes too long is ended with all that it started, also what it put into the background", async () => {
    const mark = newMark();
    await using at = await setUp({ beforeRun: "sleep 1000 & sleep 1000", timeoutMs: 100 }, { [mark]: "1" });
    const { path } = await at.workspaces.prepare("A");
    await assert.rejects(at.workspaces.beforeRun(path), code("hook_timeout"));
    await assertNoProcesses({ tag: `${mark}=1` });
  });

  test("what a hook leaves running is ended when the hook is done", async () => {
    const mark = newMark();
    await using at = await setUp({ beforeRun: "sleep 1000 & echo ok" }, { [mark]: "1" });
    const { path } = await at.workspaces.prepare("A");
    await at.workspaces.beforeRun(path);
    await assertNoProcesses({ tag: `${mark}=1` });
  });

  test("an aborted hook ends at once", async () => {
    await using at = await setUp({ beforeRun: "sleep 1000" });
    const { path } = await at.workspaces.prepare("A");
    const stop = new AbortController();
    const running = at.workspaces.beforeRun(path, stop.signal);
    stop.abort(new Error("enough"));
    await assert.rejects(running, /enough/);
  });
});

describe("git worktrees for after_create", () => {
  test("a workspace is a branch of its own; removed and made again it goes on with that branch", async () => {
    await using dir = await tempDir();
    const repository = join(dir.path, "repo");
    const git = (cwd: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, encoding: "utf8" });
    mkdirSync(repository);
    git(repository, "init", "-q");
    git(repository, "commit", "-q", "--allow-empty", "-m", "first");
    const folder = join(dir.path, "A-1");
    mkdirSync(folder);
    assert.equal(await addWorktree({ repository, folder }), "quire/A-1");
    git(folder, "commit", "-q", "--allow-empty", "-m", "second");
    await removeWorktree(folder);
    assert.ok(!existsSync(folder));
    mkdirSync(folder);
    await addWorktree({ repository, folder });
    assert.match(git(folder, "log", "--format=%s"), /^second\nfirst/);
    await assert.rejects(addWorktree({ repository: dir.path, folder }), /not a git repository/);
  });

  test("worktrees of one repository are made one after the other, whoever makes them", async () => {
    await using dir = await tempDir();
    const [repository, bin] = [join(dir.path, "repo"), join(dir.path, "bin")];
    const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@e.org", ...args]);
    git("init", "-q", repository);
    git("-C", repository, "commit", "-q", "--allow-empty", "-m", "first");
    // A git that fails where two of them make a worktree at once.
    mkdirSync(bin);
    const real = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
    const alone = `mkdir '${dir.path}/busy' && '${real}' "$@" && rmdir '${dir.path}/busy'`;
    const text = `#!/bin/sh\ncase "$*" in *"worktree add"*) ${alone};; *) exec '${real}' "$@";; esac\n`;
    writeFileSync(join(bin, "git"), text, { mode: 0o755 });
    const { PATH, QUIRE_HOME } = process.env;
    Object.assign(process.env, { PATH: `${bin}:${PATH}`, QUIRE_HOME: join(dir.path, "home") });
    try {
      await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          const folder = join(dir.path, `w${index}`);
          mkdirSync(folder);
          await addWorktree({ repository, folder });
          if (index % 2 === 0) await removeWorktree(folder);
        }),
      );
    } finally {
      process.env.PATH = PATH;
      if (QUIRE_HOME === undefined) delete process.env.QUIRE_HOME;
      else process.env.QUIRE_HOME = QUIRE_HOME;
    }
    const listed = git("-C", repository, "worktree", "list", "--porcelain").toString();
    assert.equal(listed.match(/^worktree /gm)?.length, 7);
  });

  test("a worktree with work that is nowhere else stays, and what the repository names is not run", async () => {
    await using at = await setUp({ afterCreate: "true" });
    const run = (cwd: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, encoding: "utf8" });
    const repository = join(at.path, "repo");
    mkdirSync(repository);
    run(repository, "init", "-q");
    writeFileSync(join(repository, "a"), "1");
    run(repository, "add", "a");
    run(repository, "commit", "-q", "-m", "first");
    const folder = join(at.root, "A");
    mkdirSync(folder);
    await addWorktree({ repository, folder });
    run(repository, "config", "core.fsmonitor", `touch '${join(at.path, "ran")}'`);
    const kept = async (why: RegExp) => {
      await assert.rejects(removeWorktree(folder), why);
      await assert.rejects(at.workspaces.remove("A"), code("workspace_kept"));
      assert.ok(existsSync(folder));
    };
    writeFileSync(join(folder, "new"), "");
    await kept(/was kept: 1 uncommitted files, such as "new"\. Save what you need, then: rm -rf/);
    rmSync(join(folder, "new"));
    run(folder, "-c", "core.fsmonitor=false", "update-index", "--assume-unchanged", "a");
    await kept(/ignore changes of "a"/);
    run(folder, "-c", "core.fsmonitor=false", "update-index", "--no-assume-unchanged", "a");
    run(folder, "-c", "core.fsmonitor=false", "checkout", "-q", "--detach");
    run(folder, "-c", "core.fsmonitor=false", "commit", "-q", "--allow-empty", "-m", "lost");
    await kept(/commits without a branch/);
    run(folder, "-c", "core.fsmonitor=false", "branch", "saved");
    await removeWorktree(folder);
    assert.ok(!existsSync(folder) && !existsSync(join(at.path, "ran")));
  });

  test("a clone with commits that are not pushed stays, and so does one whose repository is gone", async () => {
    await using at = await setUp({ afterCreate: "true" });
    const run = (cwd: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, encoding: "utf8" });
    const origin = join(at.path, "origin.git");
    run(at.path, "init", "-q", "--bare", origin);
    const folder = join(at.root, "A");
    run(at.root, "clone", "-q", origin, folder);
    run(folder, "commit", "-q", "--allow-empty", "-m", "first");
    await assert.rejects(at.workspaces.remove("A"), /unpushed commits or stashes/);
    run(folder, "push", "-q", "origin", "HEAD");
    renameSync(join(folder, ".git"), join(folder, "git"));
    await assert.rejects(at.workspaces.remove("A"), /"git" is in no git repository/);
    renameSync(join(folder, "git"), join(folder, ".git"));
    assert.equal(await at.workspaces.remove("A"), true);
    assert.ok(!existsSync(folder));
  });
});
