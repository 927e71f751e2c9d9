import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";

/** Folders that no command of a model writes to: what is there is preferred to whatever else PATH names. */
const systemFolders = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin", "/opt/homebrew/bin"];

/**
 * Finds a program that the server itself runs, with all its rights. PATH often names folders of the work, such as
 * `node_modules/.bin`, where a command may have put anything: they come last, and not at all where they are in `open`.
 *
 * @param open Folders that commands can write.
 */
export function findProgram(name: string, path = "/usr/bin:/bin", open: readonly string[] = []): string | undefined {
  const listed = path.split(delimiter).filter(isAbsolute);
  const folders = [...systemFolders.filter((folder) => listed.includes(folder)), ...listed];
  return folders.map((folder) => join(folder, name)).find((file) => isExecutable(file) && !liesIn(file, open));
}

function liesIn(file: string, folders: readonly string[]): boolean {
  return [file, realpathSync(file)].some((path) => folders.some((folder) => isBelow(path, folder)));
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
}

/** Whether a file may be executed. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
