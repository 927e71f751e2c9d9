import { spawn } from "node:child_process";
import { rmSync } from "node:fs";

/** Git could not do what it should. */
export class GitProblem extends Error {
  override readonly name = "GitProblem";
}

/** How long one git command may take. */
const timeoutMs = 120_000;

/** Where and what to clone. */
export interface Checkout {
  readonly url: string;
  readonly refName: string | null;
  readonly sha?: string | null | undefined;
  /** Only these folders, where given. */
  readonly sparsePaths?: readonly string[] | undefined;
  readonly into: string;
}

/** Clones the newest state, without history. Gives the commit. */
export async function checkOut({ url, refName, sha, sparsePaths = [], into }: Checkout, env: Env): Promise<string> {
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
export async function remoteCommit(url: string, refName: string | null, env: Env): Promise<string | undefined> {
  const listed = await git(["ls-remote", "--", url, refName ?? "HEAD"], env);
  return listed.split(/\s/, 1)[0] || undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Runs git, which asks nobody for a password. */
function git(args: readonly string[], env: Env): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn("git", args, {
    env: { ...env, GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "true" } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
  });
  let output = "";
  let problems = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr.on("data", (chunk: Buffer) => (problems = (problems + chunk).slice(-2000)));
  child.on("error", (error) => reject(new GitProblem(`git cannot be run: ${error.message}. Install git.`)));
  child.on("close", (code) => {
    if (code === 0) resolve(output);
    else reject(new GitProblem(`git ${args[0]} failed: ${problems.trim() || `exit code ${code}`}`));
  });
  return promise;
}
