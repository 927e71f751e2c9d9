import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { place, slow } from "../support/quire.ts";

const run = (cwd: string, ...args: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...identity, "-C", cwd, ...args]);
  assert.equal(exitCode, 0, stderr.toString());
  return stdout.toString();
};
const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];

/** The hooks that the documents give for a repository. */
function documentedHooks(): string {
  const text = readFileSync(join(import.meta.dirname, "../../../../docs/orchestrator.md"), "utf8");
  const found = /```yaml\n(hooks:\n {2}after_create: .*worktree[\s\S]*?)```/.exec(text)?.[1];
  assert.ok(found, "docs/orchestrator.md has an example of worktree hooks");
  return found;
}

const issue = (title: string, body: string) => `---\ntitle: ${title}\nstate: Todo\n---\n\n${body}\n`;

describe("quire worktree", () => {
  test("makes the current folder a branch of a repository", async () => {
    await using at = await place();
    const git = (...args: string[]) =>
      Bun.spawnSync(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", join(at.home), ...args]);
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
    const { code, stdout, stderr } = await at.run(["worktree", at.home, "--branch", "fix"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /is on fix\n$/);
    assert.ok(existsSync(join(at.cwd, ".git")));
    assert.equal((await at.run(["worktree"])).code, 2);
    assert.match((await at.run(["worktree", at.home])).stderr, /is not empty: run this in an empty folder/);
    writeFileSync(join(at.cwd, "new"), "work");
    const kept = await at.run(["worktree", "--remove"]);
    assert.equal(kept.code, 1);
    assert.match(kept.stderr, /was kept: 1 uncommitted files, such as "new"\. Save what you need, then: rm -rf/);
    rmSync(join(at.cwd, "new"));
    assert.equal((await at.run(["worktree", "--remove"])).code, 0);
    assert.ok(!existsSync(at.cwd));
  });

  test(
    "with the documented hooks, work that is not committed outlives its issue, and what holds none goes",
    slow,
    async () => {
      await using at = await place();
      const [origin, app] = [join(at.home, "origin"), join(dirname(at.home), "code", "app")];
      run(at.home, "init", "-q", origin);
      run(origin, "commit", "-q", "--allow-empty", "-m", "first");
      run(at.home, "clone", "-q", origin, app);
      mkdirSync(join(at.cwd, "issues"));
      writeFileSync(join(at.cwd, "issues", "W-1.md"), issue("Write", "write: hello.txt\nHello.\n---"));
      writeFileSync(join(at.cwd, "issues", "W-2.md"), issue("Look", "Nothing to write."));
      const prompt = '{{ issue.description }}\ntool: tracker_update {"state": "Done"}';
      const settings = `tracker: {kind: folder}\nworkspace: {root: ws}\n${documentedHooks()}codex: {read_timeout_ms: 60000}`;
      writeFileSync(join(at.cwd, "WORKFLOW.md"), `---\n${settings}\n---\n${prompt}\n`);
      const { code, stderr } = await at.run(["orchestrate", "--once"]);
      assert.equal(code, 0, stderr);
      const workspace = join(at.cwd, "ws", "W-1");
      assert.equal(readFileSync(join(workspace, "hello.txt"), "utf8").trim(), "Hello.");
      assert.match(
        stderr,
        /was kept: 1 uncommitted files, such as \\"hello\.txt\\"\. Save what you need, then: rm -rf .*code=workspace_kept/,
      );
      assert.equal(run(workspace, "branch", "--show-current"), "quire/W-1\n");
      assert.ok(!existsSync(join(at.cwd, "ws", "W-2")), "nothing was in it");
      assert.ok(!run(app, "worktree", "list").includes("W-2"));
      // A person saves it.
      run(workspace, "add", "-A");
      run(workspace, "commit", "-q", "-m", "Saved");
      assert.equal((await at.run(["orchestrate", "--once"])).code, 0);
      assert.ok(!existsSync(workspace), "all of it is on a branch of the repository");
      assert.match(run(app, "show", "quire/W-1:hello.txt"), /Hello/);
    },
  );
});
