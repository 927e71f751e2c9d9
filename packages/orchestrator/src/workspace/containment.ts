import { lstat, realpath } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { WorkspaceError } from "./workspace-error.ts";

/**
 * Makes sure that a path is a folder directly in the root, links resolved: nothing is run in, written to or removed
 * from anywhere else. Gives the real path.
 */
export async function containedFolder(root: string, path: string): Promise<string> {
  if (dirname(resolve(path)) !== resolve(root)) throw outside(path, root);
  const entry = await lstat(path);
  if (entry.isSymbolicLink()) throw new WorkspaceError("invalid_workspace_cwd", `${path} is a link: remove it`);
  if (!entry.isDirectory()) throw new WorkspaceError("invalid_workspace_cwd", `${path} is no folder: move it away`);
  const [realRoot, real] = await Promise.all([realpath(root), realpath(path)]);
  const below = relative(realRoot, real);
  if (below === "" || below === ".." || below.startsWith(`..${sep}`) || below.includes(sep)) throw outside(path, root);
  return real;
}

function outside(path: string, root: string): WorkspaceError {
  return new WorkspaceError("invalid_workspace_cwd", `${path} is not directly in the workspace root ${root}`);
}
