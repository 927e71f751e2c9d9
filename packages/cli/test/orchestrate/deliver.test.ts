import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { launcher, place, slow } from "../support/quire.ts";

const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];

function git(cwd: string, ...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...identity, "-C", cwd, ...args]);
  assert.equal(exitCode, 0, stderr.toString());
  return stdout.toString();
}

/** Makes a bare repository with a first commit. */
function bare(folder: string): string {
  const [path, seed] = [join(folder, "app.git"), join(folder, "seed")];
  git(folder, "init", "-q", "--bare", path);
  git(folder, "init", "-q", seed);
  git(seed, "commit", "-q", "--allow-empty", "-m", "First");
  git(seed, "push", "-q", path, "HEAD:refs/heads/main");
  return path;
}

/** The commands of the tour in the documents. */
function documentedTour(): string {
  const text = readFileSync(join(import.meta.dirname, "../../../../docs/orchestrator.md"), "utf8");
  const found = /```sh\n(# From an issue to a merged commit[\s\S]*?)```/.exec(text)?.[1];
  assert.ok(found, "docs/orchestrator.md has the tour");
  return found;
}

describe("quire orchestrate init", () => {
  test("the tour of the documents ends with a merged commit, without a network or a key", slow, async () => {
    await using at = await place();
    const bin = join(at.cwd, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "quire"), `#!/bin/sh\nexec '${launcher}' "$@"\n`, { mode: 0o755 });
    const tour = documentedTour().replaceAll("/tmp/tour", join(at.cwd, "tour"));
    const env = {
      ...at.env,
      PATH: `${bin}:${at.env.PATH}`,
      GIT_AUTHOR_NAME: "t",
      GIT_AUTHOR_EMAIL: "t@example.org",
      GIT_COMMITTER_NAME: "t",
      GIT_COMMITTER_EMAIL: "t@example.org",
    };
    const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", "-ec", tour], { cwd: at.cwd, env, stdin: "ignore" });
    assert.equal(exitCode, 0, stderr.toString());
    const log = git(join(at.cwd, "tour", "app.git"), "log", "--topo-order", "--format=%s", "main");
    assert.equal(log, "TOUR-1: Say hello\nTOUR-1: Say hello\nFirst\n");
    assert.match(git(join(at.cwd, "tour", "app.git"), "show", "main:hello.txt"), /Hello from an agent/);
    assert.match(readFileSync(join(at.cwd, "tour", "issues", "TOUR-1.md"), "utf8"), /state: Done[\s\S]*State: merged/);
    assert.match(stdout.toString(), /TOUR-1: Say hello/);
  });

  test("a checkout gets worktrees of its own, and its origin the changes", slow, async () => {
    await using at = await place();
    const origin = bare(at.home);
    const app = join(at.home, "it's app");
    git(at.home, "clone", "-q", origin, app);
    const args = ["orchestrate", "init", "--offline", "--repository", app, "--merge", "approved"];
    const { code, stderr } = await at.run(args);
    assert.equal(code, 0, stderr);
    const ran = await at.run(["orchestrate", "--once"]);
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(git(origin, "log", "--format=%s", "quire/TOUR-1"), "TOUR-1: Say hello\nFirst\n");
    assert.equal(git(origin, "log", "--format=%s", "main"), "First\n");
    const pull = join(at.cwd, "pulls", "quire_TOUR-1.md");
    writeFileSync(pull, readFileSync(pull, "utf8").replace("review: none", "review: approved"));
    assert.equal((await at.run(["orchestrate", "--once"])).code, 0);
    assert.match(git(origin, "show", "main:hello.txt"), /Hello/);
    assert.ok(!git(app, "worktree", "list").includes("TOUR-1"), "its worktree is gone");
  });

  test("for GitHub it writes states, labels and a scope that the orchestrator can use", async () => {
    await using at = await place();
    const origin = bare(at.home);
    const { code, stdout, stderr } = await at.run([
      "orchestrate",
      "init",
      "--tracker",
      "github",
      "--scope",
      "acme/app",
      "--repository",
      origin,
      "--merge",
      "never",
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /label quire:todo is worked on/);
    const text = readFileSync(join(at.cwd, "WORKFLOW.md"), "utf8");
    assert.match(text, /repo: acme\/app/);
    Object.assign(at.env, { GITHUB_TOKEN: "ghp_notused0123456789" });
    const agreed = await at.run(["orchestrate", "--agree"]);
    assert.equal(agreed.code, 0, agreed.stderr);
    assert.match(agreed.stderr, /deliver\.merge: never/);
  });

  for (const { tracker, scope, provider, env } of [
    {
      tracker: "gitlab",
      scope: "https://gitlab.example.com/acme/web/app",
      provider: /url: https:\/\/gitlab\.example\.com\n\s*project: acme\/web\/app\n/,
      env: { GITLAB_TOKEN: "glpat-notused0123456789" },
    },
    {
      tracker: "jira",
      scope: "https://acme.atlassian.net/browse/APP",
      provider: /url: https:\/\/acme\.atlassian\.net\n\s*project: APP\n/,
      env: { JIRA_EMAIL: "a@example.org", JIRA_API_TOKEN: "notused0123456789" },
    },
  ]) {
    test(`for ${tracker} it writes states and a place that the orchestrator can use`, async () => {
      await using at = await place();
      const args = ["orchestrate", "init", "--tracker", tracker, "--scope", scope, "--repository", bare(at.home)];
      const { code, stderr } = await at.run(args);
      assert.equal(code, 0, stderr);
      assert.match(readFileSync(join(at.cwd, "WORKFLOW.md"), "utf8"), provider);
      Object.assign(at.env, env);
      const agreed = await at.run(["orchestrate", "--agree"]);
      assert.equal(agreed.code, 0, agreed.stderr);
      assert.doesNotMatch(agreed.stderr, /warning/i);
    });
  }

  test("what is there is not written over, and what is wrong names its remedy", async () => {
    await using at = await place();
    const origin = bare(at.home);
    const init = (...args: string[]) => at.run(["orchestrate", "init", "--repository", origin, ...args]);
    assert.match(
      (await init("--tracker", "trello")).stderr,
      /--tracker must be one of folder, github, gitlab, linear, jira/,
    );
    assert.match(
      (await init("--tracker", "jira", "--scope", "APP")).stderr,
      /--scope is needed: the project's address/,
    );
    assert.match((await init("--tracker", "linear")).stderr, /--scope is needed: the key of a team/);
    const missing = await at.run(["orchestrate", "init", "--repository", join(at.home, "none")]);
    assert.match(missing.stderr, /cannot be read .*check the path or address/s);
    assert.ok(!existsSync(join(at.cwd, "WORKFLOW.md")));
    assert.equal((await init()).code, 0);
    const again = await init();
    assert.equal(again.code, 1);
    assert.match(again.stderr, /WORKFLOW\.md is there already: edit it/);
    rmSync(join(at.cwd, "WORKFLOW.md"));
    git(at.home, "init", "-q", "--bare", join(at.home, "empty.git"));
    const empty = await at.run(["orchestrate", "init", "--repository", join(at.home, "empty.git")]);
    assert.match(empty.stderr, /has no commit on its main branch: push a first one/);
  });
});
