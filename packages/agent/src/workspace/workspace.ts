import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fingerprint as hash } from "../schema/hash.ts";
import type { Filesystem } from "./filesystem.ts";
import { HostFilesystem } from "./host-filesystem.ts";
import { checkBytes, type FullMount, fullMount, type HostMount } from "./host-mount.ts";
import { copyMounts } from "./materialize.ts";
import type { HostMountPreview } from "./mount-preview.ts";
import { previewText } from "./preview-text.ts";
import { SnapshotStore } from "./snapshot-store.ts";
import { WorkspaceError, WorkspaceNotFoundError } from "./workspace-error.ts";

/** Options of {@link createWorkspace}. */
export interface WorkspaceOptions {
  /** The mounts that are copied into it. None makes an empty folder. */
  readonly mounts?: readonly HostMount[] | undefined;
  /** Folders that mounts must lie in, with all links resolved. None means that any path may be mounted. */
  readonly allowedHostRoots?: readonly string[] | undefined;
  /** Most bytes of all mounts together. Default: no limit. */
  readonly maxTotalBytes?: number | undefined;
  /** Hears of each file before it is copied, for a progress display; what it throws ends the copying. */
  readonly onFile?: ((path: string) => void | Promise<void>) | undefined;
}

interface Facts {
  readonly dir: string;
  readonly mounts: readonly FullMount[];
  readonly previews: readonly HostMountPreview[];
  readonly maxTotalBytes: number | null;
  readonly fingerprint: string;
}

/**
 * A temporary folder with copies of host files, for an agent to work in. The caller disposes of it; the folder goes
 * with the last that uses it.
 */
export class Workspace implements AsyncDisposable {
  /** The folder, with all links resolved. */
  readonly dir: string;
  /** A summary of each mount. */
  readonly mountPreviews: readonly HostMountPreview[];
  /** Stands for mounts and limits, not for the contents of files: equal for workspaces that were asked for alike. */
  readonly fingerprint: string;
  readonly createdAt: Date = new Date();
  /** Its files, for tools. A tool that fails takes its changes back, and those that others made meanwhile. */
  readonly filesystem: Filesystem;
  /** The description for the model. */
  readonly summary: string;
  readonly #snapshots: SnapshotStore;
  readonly #disown: () => Promise<void> = once(() => this.#release());
  #users = 1;

  /** @internal Made by {@link createWorkspace}. */
  constructor({ dir, mounts, previews, maxTotalBytes, fingerprint }: Facts) {
    this.dir = dir;
    this.mountPreviews = previews;
    this.fingerprint = fingerprint;
    this.summary = previewText({ previews, mounts, maxTotalBytes });
    const store = new SnapshotStore(dir);
    this.#snapshots = store;
    this.filesystem = Object.assign(new HostFilesystem(dir), {
      snapshot: () => store.take(),
      restore: (snapshot: unknown) => store.restore(snapshot),
    });
  }

  /** Adds a user, who disposes of the result. */
  retain(): AsyncDisposable {
    if (this.#users === 0) throw new WorkspaceError(`The workspace ${this.dir} has been cleaned up already`);
    this.#users++;
    return { [Symbol.asyncDispose]: once(() => this.#release()) };
  }

  /** Its owner is done with it. The folder goes when nobody else uses it; further calls do nothing. */
  cleanup(): Promise<void> {
    return this.#disown();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cleanup();
  }

  async #release(): Promise<void> {
    if (--this.#users === 0) await this.#remove();
  }

  async #remove(): Promise<void> {
    await Promise.all([rm(this.dir, { recursive: true, force: true }), this.#snapshots.dispose()]);
  }
}

/** Makes a workspace. Where that fails, nothing is left of it. */
export async function createWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const mounts = (options.mounts ?? []).map(fullMount);
  const maxTotalBytes = checkBytes("maxTotalBytes", options.maxTotalBytes);
  const roots = await Promise.all((options.allowedHostRoots ?? []).map(resolveRoot));
  const whole = await hash({ mounts, maxTotalBytes, allowedHostRoots: [...roots].sort() });
  const dir = await mkdtemp(join(await realpath(tmpdir()), "quire-workspace-"));
  try {
    const previews = await copyMounts(dir, { mounts, roots, maxTotalBytes, onFile: options.onFile });
    return new Workspace({ dir, mounts, previews, maxTotalBytes, fingerprint: whole.slice(0, 16) });
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}

async function resolveRoot(root: string): Promise<string> {
  try {
    return await realpath(resolve(root));
  } catch (cause) {
    throw new WorkspaceNotFoundError(root, { cause });
  }
}

/** Does something the first time; later calls wait for that one. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
