import { basename, isAbsolute, posix, resolve } from "node:path";
import { AgentError } from "../lib/agent-error.ts";
import { WorkspaceSecurityError } from "./workspace-error.ts";

/** A file or folder of this machine that is copied into a workspace. */
export interface HostMount {
  /** Its path on the host, relative to the current folder if it is not absolute. */
  readonly hostPath: string;
  /** Its path in the workspace. Default: the last part of `hostPath`. */
  readonly mountPath?: string | undefined;
  /** Only files that match one of these; none means all. See the documentation for the dialect. */
  readonly includeGlob?: readonly string[] | undefined;
  /** Not files that match one of these, even where they are included. */
  readonly excludeGlob?: readonly string[] | undefined;
  /** Most bytes of all its files together; 0 allows empty files only. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** Follows symbolic links that stay within the mount. Default: they are left out. */
  readonly followSymlinks?: boolean | undefined;
}

/** A mount with everything filled in. */
export interface FullMount {
  readonly hostPath: string;
  readonly mountPath: string;
  readonly includeGlob: readonly string[];
  readonly excludeGlob: readonly string[];
  readonly maxBytes: number | null;
  readonly followSymlinks: boolean;
}

/** Fills in the defaults. Throws where the mount would leave the workspace, or a limit makes no sense. */
export function fullMount(mount: HostMount): FullMount {
  const hostPath = resolve(mount.hostPath);
  return {
    hostPath,
    mountPath: checkMountPath(mount.mountPath ?? basename(hostPath)),
    includeGlob: [...(mount.includeGlob ?? [])],
    excludeGlob: [...(mount.excludeGlob ?? [])],
    maxBytes: checkBytes("maxBytes", mount.maxBytes),
    followSymlinks: mount.followSymlinks ?? false,
  };
}

/** Checks a limit in bytes; null for none. */
export function checkBytes(name: string, bytes: number | undefined): number | null {
  if (bytes === undefined) return null;
  if (!Number.isSafeInteger(bytes) || bytes < 0)
    throw new AgentError(`${name} must be a whole number of bytes, not ${bytes}`);
  return bytes;
}

/** A path below the workspace, with `/` between its parts. */
function checkMountPath(given: string): string {
  const path = given.replaceAll("\\", "/");
  const isOutside = isAbsolute(given) || path.startsWith("/") || /^[A-Za-z]:/.test(path);
  if (given === "" || given.includes("\0") || isOutside || path.split("/").includes(".."))
    throw new WorkspaceSecurityError(
      `The mount path ${JSON.stringify(given)} leaves the workspace: use a relative path without ".."`,
    );
  return posix.normalize(path).replace(/(?<=.)\/$/, "");
}
