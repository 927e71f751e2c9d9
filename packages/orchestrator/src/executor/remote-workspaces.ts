import { toRunError } from "../events/run-error.ts";
import { runMark } from "../workspace/run-mark.ts";
import { git, gitWithoutHooks, type RunGit } from "../workspace/safe-git.ts";
import { WorkspaceError } from "../workspace/workspace-error.ts";
import { workspaceKey } from "../workspace/workspace-key.ts";
import type { PreparedWorkspace } from "../workspace/workspaces.ts";
import type { KeeperOptions, WorkspaceKeeper } from "./executor.ts";
import {
  discardScript,
  findScript,
  hookScript,
  nestedScript,
  prepareScript,
  readyScript,
  removeScript,
  unsafeCode,
} from "./remote-scripts.ts";
import type { ScriptResult, SshConnection } from "./ssh-connection.ts";

type HookName = "after_create" | "before_run" | "after_run" | "before_remove";

/** The folders of one host. */
export class RemoteWorkspaces implements WorkspaceKeeper {
  readonly #connection: SshConnection;
  readonly #git: RunGit;
  readonly #options: KeeperOptions;

  constructor(connection: SshConnection, runGit: RunGit, options: KeeperOptions) {
    this.#connection = connection;
    this.#git = runGit;
    this.#options = options;
  }

  async prepare(identifier: string, signal?: AbortSignal): Promise<PreparedWorkspace> {
    const key = workspaceKey(identifier);
    const said = await this.#run(prepareScript(this.#options.root, key), signal);
    const [isNew, path = ""] = said.split("\n");
    if (isNew !== "1") return { path, key, createdNow: false };
    try {
      await this.#hook("after_create", path, { signal });
      await this.#run(readyScript(path), signal);
      return { path, key, createdNow: true };
    } catch (error) {
      await this.#run(discardScript(path)).catch(() => undefined);
      throw error;
    }
  }

  async beforeRun(path: string, signal?: AbortSignal): Promise<void> {
    await this.#hook("before_run", path, { signal });
  }

  async afterRun(path: string, signal?: AbortSignal, outcome = ""): Promise<void> {
    await this.#tryHook("after_run", path, { signal, more: { QUIRE_OUTCOME: outcome } });
  }

  async remove(identifier: string, signal?: AbortSignal): Promise<boolean> {
    const find = findScript(this.#options.root, workspaceKey(identifier));
    const path = (await this.#run(find, signal)).trim();
    if (path === "") return false;
    await this.#tryHook("before_remove", path, { signal });
    signal?.throwIfAborted();
    if ((await this.#run(find, signal)).trim() === "") return true;
    const why = await this.#unsaved(path);
    if (why !== undefined) {
      const message = `${this.#connection.name}:${path} was kept: ${why}. Save what you need, then remove it there`;
      throw new WorkspaceError("workspace_kept", message);
    }
    await this.#run(removeScript(path), signal);
    return true;
  }

  /** Why a workspace must not be removed. Stricter than here: what would take a closer look is kept. */
  async #unsaved(path: string): Promise<string | undefined> {
    try {
      const found = (await this.#run(nestedScript(path))).trim().split("\n").filter(Boolean);
      const isOwn = found.at(-1) === "own";
      if (found.length > (isOwn ? 1 : 0)) return "a repository lies within it";
      if (!isOwn) return this.#options.hooks.afterCreate === null ? undefined : "it is in no git repository";
      const top = await git(path, ["rev-parse", "--show-toplevel"], { run: this.#git });
      // core.worktree may have git look at other files.
      if (top.replace(/\n$/, "") !== path) return "git takes another folder for its files";
      const status = ["status", "--porcelain", "--untracked-files=all", "--ignore-submodules=dirty"];
      const changed = await git(path, status, { run: this.#git });
      if (changed.trim() !== "") return "it has uncommitted files";
      const marks = await git(path, ["ls-files", "-v", "-z"], { run: this.#git });
      if (/(?:^|\0)[a-zS] /.test(marks)) return "git is set to ignore changes of some files";
      const all = ["--exclude=refs/tags/*", "--exclude=refs/remotes/*", "--all", "HEAD", "--not", "--remotes"];
      const ahead = await git(path, ["rev-list", "--max-count=1", ...all], { run: this.#git });
      return ahead.trim() === "" ? undefined : "it has unpushed commits or stashes";
    } catch (error) {
      return `could not check it: ${toRunError(error).message}`;
    }
  }

  async #tryHook(name: HookName, path: string, options: HookOptions): Promise<void> {
    try {
      await this.#hook(name, path, options);
    } catch (error) {
      this.#options.log("warn", toRunError(error).message, {
        hook: name,
        workspace: path,
        host: this.#connection.name,
      });
    }
  }

  async #hook(name: HookName, path: string, { signal, more }: HookOptions): Promise<void> {
    const { hooks, env, log, onHook } = this.#options;
    const { timeoutMs } = hooks;
    const script = {
      after_create: hooks.afterCreate,
      before_run: hooks.beforeRun,
      after_run: hooks.afterRun,
      before_remove: hooks.beforeRemove,
    }[name];
    if (script === null) return;
    log("info", "hook started", { hook: name, workspace: path, host: this.#connection.name });
    const mark = env[runMark] ?? "";
    const own = { ...remoteEnv(env), ...gitWithoutHooks({}), ...more, QUIRE_WORKSPACE: path };
    const began = performance.now();
    try {
      const hook = hookScript({ path, script, env: own, mark, timeoutMs });
      const { code, stdout, stderr } = await this.#connection.run(hook, { signal });
      if (code !== 0) throw failed(name, { code, stdout, stderr }, performance.now() - began >= timeoutMs, timeoutMs);
      onHook?.(name, undefined);
    } catch (error) {
      onHook?.(name, error);
      throw error;
    }
  }

  async #run(script: string, signal?: AbortSignal): Promise<string> {
    const { code, stdout, stderr } = await this.#connection.run(script, { signal });
    if (code === 0) return stdout;
    const kind = code === unsafeCode ? "unsafe_workspace_root" : "workspace_create_failed";
    throw new WorkspaceError(kind, `${this.#connection.name}: ${stderr.trim().slice(-400) || `exit code ${code}`}`);
  }
}

interface HookOptions {
  readonly signal: AbortSignal | undefined;
  readonly more?: Readonly<Record<string, string>> | undefined;
}

function failed(
  name: string,
  { code, stdout, stderr }: ScriptResult,
  isLate: boolean,
  timeoutMs: number,
): WorkspaceError {
  const said = (stdout + stderr).trim().slice(-400);
  const output = said === "" ? "" : `; output: ${said}`;
  if (isLate)
    return new WorkspaceError(
      "hook_timeout",
      `hooks.${name} timed out after ${timeoutMs} ms (hooks.timeout_ms)${output}`,
    );
  return new WorkspaceError("hook_failed", `hooks.${name} exited with ${code}${output}`);
}

/** Variables that describe the run: all others of this machine stay here. */
export function remoteEnv(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const about = /^QUIRE_(ISSUE_\w+|BRANCH|WORKSPACE|OUTCOME)$/;
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (about.test(name) && value !== undefined ? [[name, value]] : [])),
  );
}
