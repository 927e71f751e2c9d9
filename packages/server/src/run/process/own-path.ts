import { delimiter, isAbsolute } from "node:path";
import { isWithin } from "../../lib/is-within.ts";
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
