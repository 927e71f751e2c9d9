import { execFileSync } from "node:child_process";

/** The same commit, down to its hash, in every run. */
const when = "2026-01-01T00:00:00Z";

/** Makes a folder a repository with one commit and an origin. */
export function commitEverything(cwd: string): void {
  const env = { ...process.env, GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when, GIT_CONFIG_GLOBAL: "/dev/null" };
  const git = (...args: string[]) => execFileSync("git", args, { cwd, env, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first");
  git("remote", "add", "origin", "https://example.com/repository.git");
}
