import { delimiter, isAbsolute } from "node:path";
import { isWithin } from "../is-within.ts";
import { pathWithoutLinks } from "../workspace-files/real-path.ts";
import { notedFolders } from "./noted-folders.ts";

/**
 * A PATH for hooks and MCP servers, which run outside of every sandbox: folders of other work that commands could write come
 * last, so that nothing there takes the place of another program. What lies in the work at hand is compared with what the
 * user trusted.
 */
export function ownPathFirst(path: string, cwd: string): string {
  const here = pathWithoutLinks(cwd);
  const open = [...notedFolders()].filter((folder) => !isWithin(here, folder));
  if (open.length === 0) return path;
  const isOpen = (folder: string) =>
    isAbsolute(folder) && open.some((each) => isWithin(pathWithoutLinks(folder), each));
  const listed = path.split(delimiter).map((folder) => ({ folder, last: isOpen(folder) }));
  const ordered = [...listed.filter(({ last }) => !last), ...listed.filter(({ last }) => last)];
  return ordered.map(({ folder }) => folder).join(delimiter);
}
