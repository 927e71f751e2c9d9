import { delimiter, isAbsolute, sep } from "node:path";
import { isWithin } from "../../lib/is-within.ts";
import { statIfExists } from "../../lib/stat-if-exists.ts";
import { pathWithoutLinks, repositoryRoot } from "../../workspace-files/real-path.ts";
import { writableFolders } from "./writable-folders.ts";

/**
 * A PATH for hooks and MCP servers, which run unconfined: folders of the work come last, so that nothing there replaces
 * a program that a profile or a shebang names.
 * @param home The user's home, which does not count as the work.
 */
export function ownPathFirst(path: string, cwd: string, home: string | undefined): string {
  const here = pathWithoutLinks(repositoryRoot(cwd) ?? cwd);
  const own = here === "/" || (home !== undefined && isWithin(pathWithoutLinks(home), here));
  const open = [...writableFolders(), ...(own ? [] : [here])];
  if (open.length === 0) return path;
  const isOpen = (folder: string) =>
    !isAbsolute(folder) || open.some((each) => isWithin(pathWithoutLinks(folder), each));
  const listed = path.split(delimiter).map((folder) => ({ folder, last: isOpen(folder) }));
  const ordered = [...listed.filter(({ last }) => !last), ...listed.filter(({ last }) => last)];
  return ordered.map(({ folder }) => folder).join(delimiter);
}

/**
 * A PATH of the user's own programs alone, for those that are started in the user's name before anybody has agreed to anything, such as the one that
 * opens the browser. It leaves out folders that others write, that packages put programs into (`npx` puts those of the
 * work first), and that lie in the current folder, where a command of a model may have written.
 */
export function ownPath(path: string | undefined, current: string): string {
  const isOwn = (folder: string) => {
    if (!isAbsolute(folder) || folder.split(sep).includes("node_modules")) return false;
    if (current !== sep && isWithin(folder, current)) return false;
    return ((statIfExists(folder)?.mode ?? 0) & 0o022) === 0;
  };
  return (path ?? "").split(delimiter).filter(isOwn).join(delimiter);
}
