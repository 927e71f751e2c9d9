import { type Dirent, statSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Entries of one answer, whatever a client asks for. */
const mostEntries = 100_000;

/** Limits of {@link walk}. */
export interface WalkLimits {
  readonly maxDepth: number;
  readonly maxDirectories: number;
  readonly maxEntries: number;
  readonly followDirectorySymlinks: boolean;
}

type Kind = "file" | "directory";

/** The files and folders below a folder. */
export interface Walked {
  readonly entries: readonly { readonly path: string; readonly kind: Kind }[];
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  readonly truncated: boolean;
}

/** Lists what is below a folder, outer folders first. Links are left out, or followed to folders not yet seen. */
export async function walk(root: string, limits: WalkLimits, signal: AbortSignal): Promise<Walked> {
  const most = Math.min(limits.maxEntries, mostEntries);
  const entries: { path: string; kind: Kind }[] = [];
  const errors: { path: string; message: string }[] = [];
  const seen = new Set([await realpath(root)]);
  const pending = [{ folder: root, depth: 0 }];
  for (let at = 0; at < pending.length; at++) {
    const { folder, depth } = pending[at] as (typeof pending)[number];
    if (depth >= limits.maxDepth) continue;
    if (at >= limits.maxDirectories) return { entries, errors, truncated: true };
    signal.throwIfAborted();
    for (const entry of await listed(folder, at === 0, errors)) {
      const path = join(folder, entry.name);
      const kind = kindOf(entry, path, limits.followDirectorySymlinks);
      if (!kind) continue;
      if (entries.length >= most) return { entries, errors, truncated: true };
      entries.push({ path: pathToFileURL(path).href, kind });
      if (kind === "file") continue;
      const real = limits.followDirectorySymlinks ? await realpath(path).catch(() => path) : path;
      if (!seen.has(real)) pending.push({ folder: path, depth: depth + 1 });
      seen.add(real);
    }
  }
  return { entries, errors, truncated: false };
}

/** A folder below that cannot be read is an error of its own; the first one is the request's. */
async function listed(folder: string, isRoot: boolean, errors: { path: string; message: string }[]): Promise<Dirent[]> {
  try {
    const found = await readdir(folder, { withFileTypes: true });
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isRoot) throw error;
    if (errors.length < mostEntries)
      errors.push({ path: pathToFileURL(folder).href, message: (error as Error).message });
    return [];
  }
}

function kindOf(entry: Dirent, path: string, follows: boolean): Kind | undefined {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  if (!follows || !entry.isSymbolicLink()) return undefined;
  try {
    return statSync(path).isDirectory() ? "directory" : undefined;
  } catch {
    return undefined;
  }
}
