import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DeclaredDifference, Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";

/** The same commit in each run. */
const dates = { GIT_AUTHOR_DATE: "2024-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2024-01-01T00:00:00Z" };

const notConfigured: DeclaredDifference = {
  at: "seen: the filter ran",
  reason:
    "Git that the server runs sees a repository's data and none of its configuration, which can name programs: no filters (Git LFS among them), no watcher, no submodule's own settings, nothing fetched for a partial clone. Codex runs them outside of the sandbox.",
};

/** A repository that a remote has, with a program that leaves a mark where it runs. */
function repository(stage: Stage) {
  const root = join(stage.cwd, "configured");
  const mark = join(stage.cwd, "ran");
  const program = join(stage.cwd, "program");
  mkdirSync(root);
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\nexec cat\n`);
  chmodSync(program, 0o755);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
      cwd: root,
      stdio: "ignore",
      env: { ...process.env, ...dates },
    });
  git("init");
  writeFileSync(join(root, "a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-m", "one");
  git("init", "--bare", join(stage.cwd, "bare.git"));
  git("remote", "add", "origin", join(stage.cwd, "bare.git"));
  git("push", "-u", "origin", "HEAD");
  writeFileSync(join(root, "a.txt"), "two\n");
  return { root, program, git, ran: () => existsSync(mark) };
}

/** Reach of a repository's own configuration while the server reads it. */
export const gitScenarios: readonly Scenario[] = [
  {
    name: "git/filter",
    covers: "Changes are shown without a program that the repository names",
    run: async (stage) => {
      const peer = await stage.connect();
      const { root, program, git, ran } = repository(stage);
      writeFileSync(join(root, ".git", "info", "attributes"), "*.txt filter=x\n");
      git("config", "filter.x.clean", program);
      const { diff } = await peer.result("gitDiffToRemote", { cwd: root });
      stage.observe("diff", diff);
      stage.observe("the filter ran", ran());
    },
    differences: [notConfigured],
  },
];
