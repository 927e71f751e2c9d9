import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A bare repository with a first commit on `main`, and git in it. */
export interface BareRepository {
  readonly path: string;
  git(...args: readonly string[]): string;
  /** Subjects of a branch's commits, the newest first. */
  log(branch: string): string[];
}

/** Runs git with an identity; gives its output. */
export function gitIn(cwd: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...identity, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] }).toString();
}

/** Makes a bare repository in a folder. */
export function bareRepository(folder: string): BareRepository {
  const [path, seed] = [join(folder, "origin.git"), join(folder, "seed")];
  mkdirSync(seed);
  gitIn(folder, "init", "-q", "--bare", path);
  gitIn(seed, "init", "-q");
  writeFileSync(join(seed, "readme.txt"), "Hello\n");
  writeFileSync(join(seed, ".gitignore"), "wire.jsonl\n");
  gitIn(seed, "add", "-A");
  gitIn(seed, "commit", "-q", "-m", "first");
  gitIn(seed, "push", "-q", path, "HEAD:refs/heads/main");
  const git = (...args: readonly string[]) => gitIn(path, ...args);
  return { path, git, log: (branch) => git("log", "--format=%s", branch).trim().split("\n") };
}
