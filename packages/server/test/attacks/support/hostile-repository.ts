import assert from "node:assert/strict";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@quire/testkit";

const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"];

/** Runs the plain git, which must succeed. */
export function git(cwd: string, ...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...identity, "-C", cwd, ...args]);
  assert.equal(exitCode, 0, `${args.join(" ")}: ${stderr}`);
  return stdout.toString();
}

/** A repository that an attacker has prepared. */
export interface Repository extends AsyncDisposable {
  readonly path: string;
  /** A program of the repository's. */
  readonly program: string;
  /** Whether that has run. */
  ran(): boolean;
}

/** A repository with a commit that its remote has, and a change to `a.txt`. */
export async function repository(): Promise<Repository> {
  const folder = await tempDir("quire-git-attack-");
  const { path } = folder;
  const mark = join(path, "ran");
  const program = join(path, ".git", "program");
  git(path, "init", "-q", "-b", "main");
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\nexec cat\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(path, "a.txt"), "one\n");
  git(path, "add", "a.txt");
  git(path, "commit", "-q", "-m", "first");
  git(path, "update-ref", "refs/remotes/origin/main", "HEAD");
  writeFileSync(join(path, "a.txt"), "two\n");
  return { path, program, ran: () => existsSync(mark), [Symbol.asyncDispose]: () => folder.remove() };
}
