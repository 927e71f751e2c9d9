import * as files from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../events/events.ts";
import { toRunError } from "../events/run-error.ts";
import type { HooksConfig } from "../workflow/config.ts";
import { containedFolder } from "./containment.ts";
import { ensureRoot } from "./private-root.ts";
import { runHook } from "./run-hook.ts";
import { gitWithoutHooks } from "./safe-git.ts";
import { unsavedWork } from "./unsaved-work.ts";
import { WorkspaceError } from "./workspace-error.ts";
import { workspaceKey } from "./workspace-key.ts";
import { removeByHand } from "./worktree.ts";

/** A folder for an issue. */
export interface PreparedWorkspace {
  /** Absolute, with links resolved. */
  readonly path: string;
  readonly key: string;
  readonly createdNow: boolean;
}

/** Options of {@link Workspaces}. */
export interface WorkspacesOptions {
  readonly root: string;
  readonly hooks: HooksConfig;
  /** Environment of hooks. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** Creates folders and files. Default: the real file system. */
  readonly fs?: Pick<typeof files, "mkdir" | "writeFile"> | undefined;
  /** Told when a hook has run. */
  readonly onHook?: ((name: string, error: unknown) => void) | undefined;
}

type HookName = "after_create" | "before_run" | "after_run" | "before_remove";

interface HookOptions {
  readonly signal: AbortSignal | undefined;
  /** Further variables. */
  readonly more?: Readonly<Record<string, string>> | undefined;
}

/** Folder beside the workspaces in which those are noted that are being made: after a crash they are made again. */
const pendingFolder = ".quire-pending";

/** The folders below the workspace root. */
export class Workspaces {
  readonly #options: WorkspacesOptions;

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  /** Path of an issue's folder, which may not exist. */
  pathOf(identifier: string): string {
    return join(this.#options.root, workspaceKey(identifier));
  }

  /** Makes the folder, or takes the one that is there. */
  async prepare(identifier: string, signal?: AbortSignal): Promise<PreparedWorkspace> {
    const { root, fs = files } = this.#options;
    const key = workspaceKey(identifier);
    const path = join(root, key);
    const pending = join(root, pendingFolder, key);
    await orCreateError(path, async () => {
      await ensureRoot(root, fs.mkdir);
      await fs.mkdir(join(root, pendingFolder), { recursive: true, mode: 0o700 });
    });
    // The orchestrator ended while the folder was made: nobody knows how far after_create came.
    if (await exists(pending)) await this.#removeFolder(path);
    else if (await exists(path)) return { path: await containedFolder(root, path), key, createdNow: false };
    await orCreateError(path, async () => {
      await fs.writeFile(pending, "");
      await fs.mkdir(path, { mode: 0o700 });
    });
    try {
      const real = await containedFolder(root, path);
      await this.#run("after_create", real, { signal });
      await files.rm(pending, { force: true });
      return { path: real, key, createdNow: true };
    } catch (error) {
      await this.#removeFolder(path).catch(() => undefined);
      await files.rm(pending, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Runs `before_run`. Throws where it fails. */
  async beforeRun(path: string, signal?: AbortSignal): Promise<void> {
    await this.#run("before_run", path, { signal });
  }

  /** Runs `after_run`. Failure is logged. @param outcome How the run went, for the hook. */
  async afterRun(path: string, signal?: AbortSignal, outcome = ""): Promise<void> {
    await this.#tryRun("after_run", path, { signal, more: { QUIRE_OUTCOME: outcome } });
  }

  /**
   * Removes an issue's folder, if there is one; says whether there was. Throws a `workspace_kept` where work would be lost
   * that is nowhere else. Aborted, it throws, and the folder stays.
   */
  async remove(identifier: string, signal?: AbortSignal): Promise<boolean> {
    const path = this.pathOf(identifier);
    if (!(await exists(path))) return false;
    await ensureRoot(this.#options.root);
    const real = await containedFolder(this.#options.root, path);
    await this.#tryRun("before_remove", real, { signal });
    signal?.throwIfAborted();
    if (!(await exists(path))) return true;
    const why = await unsavedWork(real, this.#options.hooks.afterCreate !== null);
    if (why !== undefined)
      throw new WorkspaceError("workspace_kept", `${real} was kept: ${why}. ${removeByHand(real)}`);
    await this.#removeFolder(path);
    return true;
  }

  async #removeFolder(path: string): Promise<void> {
    if (!(await exists(path))) return;
    await containedFolder(this.#options.root, path);
    try {
      await files.rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
    } catch (error) {
      throw new WorkspaceError("workspace_remove_failed", `${path} cannot be removed: ${toRunError(error).message}`, {
        cause: error,
      });
    }
  }

  async #tryRun(name: HookName, cwd: string, options: HookOptions): Promise<void> {
    try {
      await this.#run(name, cwd, options);
    } catch (error) {
      this.#options.log("warn", toRunError(error).message, { hook: name, workspace: cwd });
    }
  }

  async #run(name: HookName, cwd: string, { signal, more }: HookOptions): Promise<void> {
    const { hooks, env, log, onHook } = this.#options;
    const script = {
      after_create: hooks.afterCreate,
      before_run: hooks.beforeRun,
      after_run: hooks.afterRun,
      before_remove: hooks.beforeRemove,
    }[name];
    if (script === null) return;
    log("info", "hook started", { hook: name, workspace: cwd });
    try {
      const own = { ...env, ...gitWithoutHooks(env), ...more, QUIRE_WORKSPACE: cwd };
      await runHook({ name, script, cwd, env: own, timeoutMs: hooks.timeoutMs, signal });
      onHook?.(name, undefined);
    } catch (error) {
      onHook?.(name, error);
      throw error;
    }
  }
}

async function orCreateError(path: string, make: () => Promise<unknown>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOSPC" ? "the disk is full: free some space" : message;
    throw new WorkspaceError("workspace_create_failed", `The workspace ${path} could not be created: ${why}`, {
      cause: error,
    });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await files.lstat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    throw error;
  }
}
