/** Attacks: git that the server runs. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { findRepository } from "../../src/git/find-repository.ts";
import { safeView } from "../../src/git/safe-view.ts";
import { diffToRemote } from "../../src/thread/git-diff.ts";
import { gitInfo } from "../../src/thread/git-info.ts";
import { testAttempts } from "./support/attempt.ts";
import { git, type Repository, repository } from "./support/hostile-repository.ts";

/** Looks at the changes as the server does, or with the plain git. */
async function look(path: string, guarded: boolean): Promise<string> {
  await using home = await tempDir("quire-git-home-");
  if (guarded) return (await diffToRemote(path, home.path))?.diff ?? "";
  return Bun.spawnSync(["git", "-C", path, "diff", "origin/main"], { stdin: "ignore" }).stdout.toString();
}

const lookAt =
  (prepare: (made: Repository) => void) =>
  async (guarded: boolean): Promise<boolean> => {
    await using made = await repository();
    prepare(made);
    await look(made.path, guarded);
    return made.ran();
  };

function attribute({ path }: Repository, text: string): void {
  writeFileSync(join(path, ".gitattributes"), `*.txt ${text}\n`);
}

attack(
  "runs a program by a clean filter of the repository",
  lookAt((made) => {
    attribute(made, "filter=anything");
    git(made.path, "config", "filter.anything.clean", made.program);
  }),
);

attack(
  "runs a program by a filter process of the repository",
  lookAt((made) => {
    attribute(made, "filter=anything");
    git(made.path, "config", "filter.anything.process", made.program);
  }),
);

attack(
  "runs a program by a filter in a file that the configuration includes",
  lookAt((made) => {
    attribute(made, "filter=x");
    writeFileSync(join(made.path, "more.config"), `[filter "x"]\n\tclean = ${made.program}\n`);
    git(made.path, "config", "include.path", join(made.path, "more.config"));
  }),
);

attack(
  "runs a program by a filter in the attributes of the git folder",
  lookAt((made) => {
    mkdirSync(join(made.path, ".git", "info"), { recursive: true });
    writeFileSync(join(made.path, ".git", "info", "attributes"), "* filter=x\n");
    git(made.path, "config", "filter.x.clean", made.program);
  }),
);

attack(
  "runs a program by the configuration of one worktree",
  lookAt((made) => {
    attribute(made, "filter=x");
    git(made.path, "config", "extensions.worktreeConfig", "true");
    git(made.path, "config", "--worktree", "filter.x.clean", made.program);
  }),
);

attack(
  "runs a program as a watcher of files",
  lookAt(({ path, program }) => git(path, "config", "core.fsmonitor", program)),
);

attack(
  "runs a program that shows differences",
  lookAt(({ path, program }) => git(path, "config", "diff.external", program)),
);

attack(
  "runs a program that shows the differences of one kind of file",
  lookAt((made) => {
    attribute(made, "diff=x");
    git(made.path, "config", "diff.x.command", made.program);
  }),
);

attack(
  "runs a program that turns files into text",
  lookAt((made) => {
    attribute(made, "diff=x");
    git(made.path, "config", "diff.x.textconv", made.program);
  }),
);

attack(
  "runs a program in place of a remote that has the missing commits",
  lookAt(({ path }) => {
    const blob = git(path, "rev-parse", "HEAD:a.txt").trim();
    Bun.spawnSync(["rm", "-f", join(path, ".git", "objects", blob.slice(0, 2), blob.slice(2))]);
    for (const [key, value] of [
      ["core.repositoryformatversion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.url", path],
      ["remote.origin.promisor", "true"],
      // Ends at once: git would wait for its answer.
      ["remote.origin.uploadpack", `touch '${join(path, "ran")}'; false`],
    ] as const)
      git(path, "config", key, value);
  }),
);

attack(
  "runs a program by the configuration of a repository inside",
  lookAt((made) => {
    const inner = join(made.path, "inner");
    mkdirSync(inner);
    git(inner, "init", "-q");
    git(inner, "commit", "-q", "--allow-empty", "-m", "inner");
    git(made.path, "add", "inner");
    git(made.path, "commit", "-q", "-m", "with inner");
    git(made.path, "update-ref", "refs/remotes/origin/main", "HEAD");
    git(inner, "config", "core.fsmonitor", made.program);
  }),
);

attack("shows the files of another folder as those of the repository", async (guarded) => {
  await using made = await repository();
  await using elsewhere = await tempDir("quire-elsewhere-");
  writeFileSync(join(elsewhere.path, "a.txt"), "secret of another folder\n");
  git(made.path, "config", "core.worktree", elsewhere.path);
  return (await look(made.path, guarded)).includes("secret of another folder");
});

attack("names another repository by a variable of the server's", async (guarded) => {
  await using made = await repository();
  await using other = await tempDir("quire-no-repository-");
  const env = { ...process.env, GIT_DIR: join(made.path, ".git") };
  if (!guarded) return Bun.spawnSync(["git", "-C", other.path, "rev-parse", "HEAD"], { env }).exitCode === 0;
  process.env.GIT_DIR = env.GIT_DIR;
  try {
    return (await gitInfo(other.path)) !== undefined;
  } finally {
    delete process.env.GIT_DIR;
  }
});

attack("names a file outside of the git folder as the branch", async (guarded) => {
  await using made = await repository();
  const sha = "0123456789012345678901234567890123456789";
  writeFileSync(join(made.path, "outside"), `${sha}\n`);
  writeFileSync(join(made.path, ".git", "HEAD"), "ref: refs/../../outside\n");
  if (!guarded) return readFileSync(join(made.path, ".git", "refs/../../outside"), "utf8").includes(sha);
  return (await gitInfo(made.path))?.sha === sha;
});

testAttempts([
  {
    name: "changes the git folder through which the server looks at a repository",
    prepare: async ({ workspace, home }) => {
      git(workspace, "init", "-q");
      const found = findRepository(workspace);
      assert.ok(found);
      return { VIEW: safeView(found, home).gitDir };
    },
    scripts: ['echo escaped >> "$VIEW/config"', 'cat "$VIEW/config"'],
    escaped: (_, output) => output.includes("escaped"),
  },
]);

test("what the server says of ordinary repositories is what git says", async () => {
  await using made = await repository();
  const { path } = made;
  git(path, "remote", "add", "origin", "short:x/y.git");
  git(path, "config", "url.https://example.org/.insteadOf", "short:");
  const check = async (folder: string) => {
    const asked = (...args: string[]) =>
      Bun.spawnSync(["git", "-C", folder, ...args])
        .stdout.toString()
        .trim() || null;
    assert.deepEqual(await gitInfo(folder), {
      sha: asked("rev-parse", "HEAD"),
      branch: asked("branch", "--show-current"),
      originUrl: asked("remote", "get-url", "origin"),
    });
  };
  await check(path);
  mkdirSync(join(path, "deep", "er"), { recursive: true });
  await check(join(path, "deep", "er"));
  git(path, "pack-refs", "--all");
  await check(path);
  git(path, "worktree", "add", "-q", "-b", "feature/one", join(path, "tree"));
  await check(join(path, "tree"));
  git(path, "checkout", "-q", "--detach");
  await check(path);
  writeFileSync(join(path, "new.txt"), "new\n");
  const diff = await look(path, true);
  assert.ok(diff.startsWith(git(path, "diff", "origin/main")), diff);
  assert.match(diff, /\+\+\+ b\/new\.txt\n@@ -0,0 \+1 @@\n\+new\n/);
});
