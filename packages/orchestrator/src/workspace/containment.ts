import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { whyOpen } from "./private-root.ts";
import { WorkspaceError } from "./workspace-error.ts";

/**
 * Makes sure that a path is a folder of ours directly in the root, links resolved, into which nobody else can write:
 * nothing is run in, written to or removed from anywhere else. Returns the real path.
 */
export async function containedFolder(root: string, path: string): Promise<string> {
  if (dirname(resolve(path)) !== resolve(root)) throw outside(path, root);
  const entry = await lstat(path);
  if (entry.isSymbolicLink()) throw invalid(`${path} is a symbolic link: remove it`);
  if (!entry.isDirectory()) throw invalid(`${path} is not a folder: move it away`);
  const why = whyOpen(entry, path);
  if (why !== undefined) throw invalid(why);
  const [realRoot, real] = await Promise.all([realpath(root), realpath(path)]);
  if (dirname(real) !== realRoot) throw outside(path, root);
  if (basename(real) !== basename(resolve(path))) {
    // A file system that does not tell A from a.
    throw invalid(`${path} is the folder of another issue, ${basename(real)}: rename one of the issues`);
  }
  return real;
}

const invalid = (message: string) => new WorkspaceError("invalid_workspace_cwd", message);

const outside = (path: string, root: string) => invalid(`${path} is not directly in the workspace root ${root}`);
