import { basename, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "../../lib/is-within.ts";
import { readableHomeFolders } from "../../workspace-files/hidden-files.ts";
import { pathWithoutLinks } from "../../workspace-files/real-path.ts";
import { hasLongOption, hasShortOption } from "../trust/options.ts";

/** The kernel's folders of processes with their variables, including the server's. */
const systemFolders = ["/proc", "/sys"];

/** Commands that only read, and their surroundings. */
export interface ShowingCase {
  readonly commands: readonly (readonly string[])[];
  /** The script's first folder. */
  readonly folder: string;
  /** The homes of servers, with keys and tokens. */
  readonly homes: readonly string[];
}

/** True when read-only commands may show secrets: they name, or search a folder with, files of a home or process. */
export function mayShowHidden({ commands, folder, homes }: ShowingCase): boolean {
  const folders = [folder];
  for (const [name, target] of commands) {
    if (name === "cd" && target !== undefined) folders.push(...folders.map((each) => resolve(each, target)));
    if (folders.length > 64) return true;
  }
  return commands.some((words) => {
    if (followsLinks(words)) return true;
    const searches = searchesFolders(words);
    const paths = [...(searches ? ["."] : []), ...words.slice(1).flatMap(pathsIn)];
    const reached = folders.flatMap((each) => paths.map((path) => pathWithoutLinks(resolve(each, path))));
    return reached.some((path) => isHidden(path, homes) || (searches && leadsTo(path, homes)));
  });
}

/** A word, and the ends of it that an option may take for a path. */
function pathsIn(word: string): string[] {
  if (!word.startsWith("-")) return [word];
  const slash = word.indexOf("/");
  return [word.slice(word.indexOf("=") + 1), ...(slash < 0 ? [] : [word.slice(slash)])].filter(
    (path) => !path.startsWith("-") || isAbsolute(path),
  );
}

function isHidden(path: string, homes: readonly string[]): boolean {
  if (systemFolders.some((folder) => isWithin(path, folder))) return true;
  return homes.some(
    (home) => isWithin(path, home) && !readableHomeFolders.some((name) => isWithin(path, join(home, name))),
  );
}

function leadsTo(path: string, homes: readonly string[]): boolean {
  return [...homes, ...systemFolders].some((folder) => isWithin(folder, path));
}

/** True when a command shows the content of all files in a folder. */
function searchesFolders([program = "", ...args]: readonly string[]): boolean {
  const name = basename(program);
  if (name === "rg") return true;
  if (name === "diff") return hasShortOption(args, "r") || hasLongOption(args, ["--recursive"]);
  if (!/^[ef]?grep$/.test(name)) return false;
  return (
    hasShortOption(args, "rRd") || hasLongOption(args, ["--recursive", "--dereference-recursive", "--directories"])
  );
}

/** True when it follows links, which may lead anywhere. */
function followsLinks(words: readonly string[]): boolean {
  const [program = "", ...args] = words;
  if (!searchesFolders(words)) return false;
  const name = basename(program);
  if (name === "rg") return hasShortOption(args, "L") || hasLongOption(args, ["--follow"]);
  return name === "diff" || hasShortOption(args, "R") || hasLongOption(args, ["--dereference-recursive"]);
}
