import type { GitDiffToRemoteResponse } from "@quire/protocol";
import { git as runGit } from "./git.ts";

/** Longest time that one step may take. */
const timeoutMs = 30_000;

/** Remote branches that are looked at for the nearest; the first have changed last. */
const maxBranches = 64;

/** Files that git does not know yet and that are shown; a folder with more of them is meant to be ignored. */
const maxUntracked = 500;

/**
 * All that a folder has beyond the nearest commit that a remote has: commits, changes, and new files below the folder.
 * `undefined` where there is no such commit.
 */
export async function diffToRemote(cwd: string): Promise<GitDiffToRemoteResponse | undefined> {
  const sha = await nearestRemoteCommit(cwd);
  if (sha === undefined) return undefined;
  const [known, fresh] = await Promise.all([git(cwd, ["diff", ...plain, sha]), untracked(cwd)]);
  if (known === undefined) return undefined;
  let diff = known;
  // One after the other: there may be many, and the order is part of the result.
  for (const file of fresh)
    diff += (await git(cwd, ["diff", ...plain, "--binary", "--no-index", "--", "/dev/null", file], 1)) ?? "";
  return { sha, diff };
}

/** Neither colours nor programs that a configuration names. */
const plain = ["--no-color", "--no-textconv", "--no-ext-diff", "--ignore-submodules=dirty"];

async function nearestRemoteCommit(cwd: string): Promise<string | undefined> {
  const refs = [
    "for-each-ref",
    `--count=${maxBranches}`,
    "--sort=-committerdate",
    "--format=%(objectname)",
    "refs/remotes",
  ];
  const tips = new Set(lines(await git(cwd, refs)));
  let nearest: { sha: string; distance: number } | undefined;
  for (const tip of tips) {
    const [sha] = lines(await git(cwd, ["merge-base", "HEAD", tip]));
    if (sha === undefined) continue;
    const distance = Number(await git(cwd, ["rev-list", "--count", `${sha}..HEAD`]));
    if (nearest === undefined || distance < nearest.distance) nearest = { sha, distance };
    if (distance === 0) break;
  }
  return nearest?.sha;
}

async function untracked(cwd: string): Promise<string[]> {
  const listed = (await git(cwd, ["ls-files", "--others", "--exclude-standard", "-z"])) ?? "";
  return listed.split("\0").filter(Boolean).slice(0, maxUntracked);
}

const lines = (text: string | undefined): string[] => (text ?? "").split("\n").filter(Boolean);

const git = (cwd: string, args: readonly string[], also?: number): Promise<string | undefined> =>
  runGit(cwd, args, { timeoutMs, also });
