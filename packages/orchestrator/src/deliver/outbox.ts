import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Executor } from "../executor/executor.ts";
import type { GitCredential, MergeMethod } from "../forges/forge.ts";
import { git, type OwnGitOptions, ownGit, quietReceiver, type RunGit } from "../workspace/safe-git.ts";

/** Age from which a lock belongs to nobody any more. */
const lockMs = 600_000;

/** Options of {@link Outbox}. */
export interface OutboxOptions {
  /** Folder of all outboxes, which agents do not see. */
  readonly folder: string;
  /** Address or path of the repository that is pushed to. */
  readonly remote: string;
  readonly credential: GitCredential | null;
  readonly base: string;
  /** In whose name commits are made. */
  readonly author: { readonly name: string; readonly mail: string };
  /** Ends what git does there. */
  readonly signal: AbortSignal;
}

/** A branch to push. */
export interface Shipment {
  readonly workspace: string;
  readonly branch: string;
  /** The branch's commit at the remote as this side left it; null for none. */
  readonly known: string | null;
  /** Machine of the workspace. */
  readonly executor: Executor;
}

/** A branch to merge into the base. */
export interface Landing {
  readonly sha: string;
  readonly method: MergeMethod;
  readonly message: string;
}

/**
 * A bare repository of the orchestrator's own, through which commits go from workspaces to a remote. Agents can write
 * the configuration of their workspaces; it does not count here.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #path: string;
  #last: Promise<unknown> = Promise.resolve();
  #made = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    const name = createHash("sha256").update(options.remote).digest("hex").slice(0, 16);
    this.#path = join(options.folder, `${name}.git`);
  }

  /** Commits what is not committed in a workspace; says whether there was something. */
  async commitRest(workspace: string, message: string, { host, git: run }: Executor): Promise<boolean> {
    const real = await realOn(host, workspace);
    const top = (await git(real, ["rev-parse", "--show-toplevel"], { run })).replace(/\n$/, "");
    if (top !== real) throw new Error(`git takes ${top} for the files of ${real}: it is no repository of its own`);
    await addAll(real, run);
    const changed = ["diff", "--cached", "--name-only", "--ignore-submodules=dirty"];
    if ((await git(real, changed, { run })) === "") return false;
    const commit = ["commit", "--quiet", "--no-verify", "--no-status", `--message=${message}`];
    await git(real, commit, { settings: this.#identity(), run });
    return true;
  }

  /**
   * Pushes what a workspace has checked out; null where the base has all of it. Throws where it would overwrite what
   * somebody else pushed.
   */
  push({ workspace, branch, known, executor }: Shipment): Promise<string | null> {
    return this.#alone(async () => {
      const real = await realOn(executor.host, workspace);
      const own = `refs/heads/${branch}`;
      const { address, env } = executor.gitAddress(real);
      await this.#fetch(address, `+HEAD:${own}`, env);
      await this.#fetchBase();
      const sha = (await this.#git(["rev-parse", own])).trim();
      const ahead = await this.#git(["rev-list", "--count", sha, "--not", this.#base]);
      if (ahead.trim() === "0") return null;
      if (sha !== known) await this.#pushBranch(own, known);
      await noteInClone(real, { branch, sha }, executor.git);
      return sha;
    });
  }

  /** Has a new workspace go on after what was pushed of its branch: the folder with the rest of it was lost. */
  restore({ workspace, branch, known, executor }: Shipment): Promise<void> {
    return this.#alone(async () => {
      if (known === null) return;
      const { git: run, host } = executor;
      const real = await realOn(host, workspace);
      const isThere = (args: readonly string[]) =>
        git(real, args, { run }).then(
          () => true,
          () => false,
        );
      if (
        !(await isThere(["rev-parse", "--git-dir"])) ||
        (await isThere(["merge-base", "--is-ancestor", known, "HEAD"]))
      )
        return;
      const own = `refs/heads/${branch}`;
      // Whatever was pushed there since is gone on with too.
      await this.#fetch(this.#options.remote, `+${own}:${own}`);
      const { address, env } = executor.gitAddress(real);
      const kept = "refs/remotes/quire-delivered/restored";
      await this.#git(["push", "--quiet", "--no-verify", quietReceiver, "--", address, `+${own}:${kept}`], { env });
      await git(real, ["checkout", "--quiet", "--force", "-B", branch, kept], { run });
    });
  }

  async #pushBranch(own: string, known: string | null): Promise<void> {
    // An agent may have made its own commits anew.
    const lease = known === null ? [] : [`--force-with-lease=${own}:${known}`];
    await this.#push([...lease, "--", this.#options.remote, `${own}:${own}`]);
  }

  /** The commit of the base, as last fetched, from which a pushed commit parts; null where it does not come from it. */
  async forkPoint(sha: string): Promise<string | null> {
    const found = await this.#git(["merge-base", this.#base, sha]).catch(() => "");
    return found.trim() || null;
  }

  /** Changes between two commits that were pushed. */
  diff(from: string, sha: string): Promise<string> {
    return this.#git(["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", from, sha, "--"]);
  }

  /** Merges a commit that was pushed into the base, and pushes that. Throws where they conflict. */
  land({ sha, method, message }: Landing): Promise<void> {
    return this.#alone(async () => {
      const { remote, base } = this.#options;
      await this.#fetchBase();
      const onto = (await this.#git(["rev-parse", this.#base])).trim();
      const merged =
        method === "rebase" ? await this.#ahead(onto, sha) : await this.#merged(onto, { sha, method, message });
      await this.#push(["--", remote, `${merged}:refs/heads/${base}`]);
    });
  }

  async #merged(onto: string, { sha, method, message }: Landing): Promise<string> {
    const { base } = this.#options;
    const tree = await this.#git(["merge-tree", "--write-tree", "--no-messages", onto, sha]).catch((cause: unknown) => {
      throw new Error(`The change conflicts with ${base}: bring the branch up to date`, { cause });
    });
    const [id = ""] = tree.trim().split("\n");
    const parents = method === "squash" ? ["-p", onto] : ["-p", onto, "-p", sha];
    return (await this.#git(["commit-tree", ...parents, "-m", message, id], { settings: this.#identity() })).trim();
  }

  async #ahead(onto: string, sha: string): Promise<string> {
    if ((await this.#git(["merge-base", onto, sha])).trim() === onto) return sha;
    throw new Error(`${this.#options.base} has moved on: bring the branch up to date, or set deliver.method: merge`);
  }

  async #fetchBase(): Promise<void> {
    const { remote, base } = this.#options;
    await this.#fetch(remote, `+refs/heads/${base}:${this.#base}`);
  }

  async #fetch(from: string, what: string, env?: Readonly<Record<string, string>>): Promise<void> {
    await this.#git(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", from, what], { env });
  }

  async #push(args: readonly string[]): Promise<void> {
    await this.#git(["push", "--quiet", "--no-verify", ...args]);
  }

  get #base(): string {
    return `refs/quire/base/${this.#options.base}`;
  }

  #identity(): Readonly<Record<string, string>> {
    const { name, mail } = this.#options.author;
    return { "user.name": name, "user.email": mail };
  }

  async #git(
    args: readonly string[],
    { settings, env }: Pick<OwnGitOptions, "settings" | "env"> = {},
  ): Promise<string> {
    const { credential } = this.#options;
    const header = credential ? { [`http.${credential.origin}/.extraHeader`]: credential.header } : {};
    if (!this.#made) {
      await mkdir(this.#path, { recursive: true, mode: 0o700 });
      await removeOldLocks(this.#path);
      await ownGit(this.#path, ["init", "--quiet", "--bare", this.#path]);
      this.#made = true;
    }
    return ownGit(this.#path, args, { settings: { ...header, ...settings }, env, signal: this.#options.signal });
  }

  /** Runs one job at a time: two pushes through one repository would race for its references. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

/** Adds all changes, as `git add --all` does, without a look into repositories below. */
async function addAll(workspace: string, run: RunGit): Promise<void> {
  const differing = (filter: string) =>
    git(workspace, ["diff-files", "--name-only", "-z", "--ignore-submodules=dirty", `--diff-filter=${filter}`], {
      run,
    });
  const gone = await differing("D");
  // By force, for a link may have taken the place of a folder: git looks at no path beyond it.
  if (gone !== "") await git(workspace, ["update-index", "--force-remove", "-z", "--stdin"], { input: gone, run });
  const found = await git(workspace, ["ls-files", "--others", "--exclude-standard", "-z"], { run });
  const paths = `${await differing("d")}${found}`.split("\0").filter((path) => path !== "");
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path.replace(/\/$/, "")}\0`).join("");
  await git(workspace, ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], { input, run });
}

/** Notes in a clone what was pushed, so that it does not count as work that is nowhere else. */
async function noteInClone(
  workspace: string,
  { branch, sha }: { readonly branch: string; readonly sha: string },
  run: RunGit,
): Promise<void> {
  const folder = (await git(workspace, ["rev-parse", "--absolute-git-dir"], { run })).replace(/\n$/, "");
  if (folder !== join(workspace, ".git")) return;
  await git(workspace, ["update-ref", `refs/remotes/quire-delivered/${branch}`, sha], { run });
}

/** The path with links resolved; of another machine's it is so already. */
const realOn = async (host: string | null, path: string) => (host === null ? realpath(path) : path);

/** Removes locks of a git that did not come to its end, such as at a power failure. No call takes as long. */
async function removeOldLocks(repository: string): Promise<void> {
  for (const entry of await readdir(repository, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".lock")) continue;
    const path = join(entry.parentPath, entry.name);
    if (Date.now() - (await lstat(path)).mtimeMs > lockMs) await rm(path, { force: true });
  }
}
