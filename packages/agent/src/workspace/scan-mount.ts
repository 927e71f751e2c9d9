import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isWithin } from "./contained.ts";
import { globFilter } from "./glob.ts";
import type { FullMount } from "./host-mount.ts";
import { WorkspaceBudgetExceededError, WorkspaceNotFoundError, WorkspaceSecurityError } from "./workspace-error.ts";

/** A file to be copied. */
export interface PlannedFile {
  /** Its path in the mount, with `/` between the parts; empty for a mount that is a single file. */
  readonly path: string;
  /** Its path on the host. */
  readonly source: string;
  /** The resolved path that it must have when it is opened. */
  readonly expected: string;
  readonly size: number;
}

/** The files of a mount. */
export interface MountPlan {
  readonly mount: FullMount;
  /** The mounted file or folder with all links resolved. Nothing outside of it is read. */
  readonly resolvedHost: string;
  readonly isDirectory: boolean;
  /** Sorted by path. */
  readonly files: readonly PlannedFile[];
}

/** Looks at what a mount holds, without copying. `roots` are resolved; none means that all is allowed. */
export async function scanMount(mount: FullMount, roots: readonly string[]): Promise<MountPlan> {
  const { hostPath } = mount;
  const [link, resolvedHost] = await Promise.all([lstat(hostPath), realpath(hostPath)]).catch((cause: unknown) => {
    throw new WorkspaceNotFoundError(hostPath, { cause });
  });
  if (roots.length > 0 && !roots.some((root) => isWithin(root, resolvedHost)))
    throw new WorkspaceSecurityError(`${hostPath} lies outside of the allowed host roots (${roots.join(", ")})`);
  const target = await stat(resolvedHost);
  if (target.isDirectory()) return scanFolder(mount, resolvedHost);
  if (!target.isFile()) throw new WorkspaceSecurityError(`${hostPath} is neither a file nor a folder`);
  // The path as given, not the resolved one, which never is a link.
  if (link.isSymbolicLink()) await checkFileLink(mount, resolvedHost);
  const file = { path: "", source: hostPath, expected: resolvedHost, size: target.size };
  const isWanted = globFilter(mount.includeGlob, mount.excludeGlob)(basename(hostPath));
  return { mount, resolvedHost, isDirectory: false, files: checkSizes(mount, isWanted ? [file] : []) };
}

async function checkFileLink({ hostPath, followSymlinks }: FullMount, resolvedHost: string): Promise<void> {
  if (!followSymlinks)
    throw new WorkspaceSecurityError(`${hostPath} is a symbolic link: set followSymlinks to allow it`);
  if (!isWithin(await realpath(dirname(hostPath)), resolvedHost))
    throw new WorkspaceSecurityError(`${hostPath} is a symbolic link that leaves its folder`);
}

async function scanFolder(mount: FullMount, resolvedHost: string): Promise<MountPlan> {
  const isWanted = globFilter(mount.includeGlob, mount.excludeGlob);
  const files: PlannedFile[] = [];
  /** Real paths of the folders on the way here: a link to one of them would lead round in circles. */
  const visit = async (folder: string, path: string, above: readonly string[]): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const source = join(folder, entry.name);
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      const kind = await resolveEntry(entry, source, mount.followSymlinks, resolvedHost);
      if (kind?.isDirectory && !above.includes(kind.expected)) await visit(source, inner, [...above, kind.expected]);
      else if (kind && !kind.isDirectory && isWanted(inner))
        files.push({ path: inner, source, expected: kind.expected, size: kind.size });
    }
  };
  await visit(resolvedHost, "", [resolvedHost]);
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { mount, resolvedHost, isDirectory: true, files: checkSizes(mount, files) };
}

interface EntryKind {
  readonly isDirectory: boolean;
  readonly expected: string;
  readonly size: number;
}

/** The kind of an entry; undefined for one that is left out: a link, a device, or gone meanwhile. */
async function resolveEntry(
  entry: Dirent,
  source: string,
  followSymlinks: boolean,
  root: string,
): Promise<EntryKind | undefined> {
  if (!entry.isSymbolicLink() && !entry.isDirectory() && !entry.isFile()) return undefined;
  if (entry.isSymbolicLink() && !followSymlinks) return undefined;
  try {
    const expected = await realpath(source);
    // A folder that was swapped for a link meanwhile shows here.
    if (!isWithin(root, expected)) return undefined;
    const found = await stat(expected);
    if (!found.isDirectory() && !found.isFile()) return undefined;
    return { isDirectory: found.isDirectory(), expected, size: found.size };
  } catch {
    return undefined;
  }
}

/** Before anything is copied: what is too much is known from the sizes. They are looked at again while copying. */
function checkSizes({ hostPath, maxBytes }: FullMount, files: readonly PlannedFile[]): readonly PlannedFile[] {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (maxBytes !== null && bytes > maxBytes)
    throw new WorkspaceBudgetExceededError(`The mount of ${hostPath}`, bytes, maxBytes);
  return files;
}
