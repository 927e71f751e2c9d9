import { rmSync } from "node:fs";
import { fetchGit as git } from "../git/fetch-git.ts";
import type { ToolEnv } from "./fetch-with.ts";
import { PluginProblem } from "./marketplace.ts";

/** A repository and what to check out. */
export interface Checkout {
  readonly url: string;
  readonly refName: string | null;
  readonly sha?: string | null | undefined;
  /** Only these folders, if given. */
  readonly sparsePaths?: readonly string[] | undefined;
  readonly into: string;
}

/** Nothing that git could take for an option or a name. */
const commit = /^[0-9a-f]{7,64}$/i;

/** Clones the newest state, without history. Gives the commit. */
export async function checkOut({ url, refName, sha, sparsePaths = [], into }: Checkout, env: ToolEnv): Promise<string> {
  if (sha && !commit.test(sha)) throw new PluginProblem(`\`${sha}\` is not a commit: use its hexadecimal digits`);
  const sparse = sparsePaths.length > 0 ? ["--sparse", "--filter=blob:none"] : [];
  const shallow = sha || !/^(https?|ssh|file):\/\//.test(url) ? [] : ["--depth", "1"];
  const branch = refName === null ? [] : ["--branch", refName];
  const rest = [...sparse, ...branch, "--", url, into];
  // A plain web server cannot give less than the whole history.
  await git(["clone", "--quiet", ...shallow, ...rest], env).catch((error: unknown) => {
    if (shallow.length === 0 || !String(error).includes("shallow")) throw error;
    rmSync(into, { recursive: true, force: true });
    return git(["clone", "--quiet", ...rest], env);
  });
  if (sparsePaths.length > 0) await git(["-C", into, "sparse-checkout", "set", "--no-cone", "--", ...sparsePaths], env);
  if (sha) await git(["-C", into, "checkout", "--quiet", "--detach", sha], env);
  return (await git(["-C", into, "rev-parse", "HEAD"], env)).trim();
}

/** The commit that a remote has under a name. */
export async function remoteCommit(url: string, refName: string | null, env: ToolEnv): Promise<string | undefined> {
  const listed = await git(["ls-remote", "--", url, refName ?? "HEAD"], env);
  return listed.split(/\s/, 1)[0] || undefined;
}
