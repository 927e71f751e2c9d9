import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { isWithin } from "../../lib/is-within.ts";
import { writableFolders } from "./writable-folders.ts";

/** Folders that no command of a model writes to: what is there is preferred to whatever else PATH names. */
const systemFolders = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin", "/opt/homebrew/bin"];

/**
 * Finds a program that the server itself runs, with all its rights. PATH often names folders of the work, such as
 * `node_modules/.bin`, where a command may have put anything: they come last, and not at all where a command of any thread
 * could write so far.
 *
 * @param open Further folders that commands can write.
 */
export function findProgram(name: string, path = "/usr/bin:/bin", open: readonly string[] = []): string | undefined {
  const listed = path.split(delimiter).filter(isAbsolute);
  const folders = [...systemFolders.filter((folder) => listed.includes(folder)), ...listed];
  return folders.map((folder) => join(folder, name)).find((file) => isExecutable(file) && isOwn(file, open));
}

/** Whether no command can have put it there. Who works in the root of the machine has the system's programs there too. */
function isOwn(file: string, open: readonly string[]): boolean {
  return !liesIn(file, open) && (systemFolders.includes(dirname(file)) || !liesIn(file, [...writableFolders()]));
}

function liesIn(file: string, folders: readonly string[]): boolean {
  return [file, realpathSync(file)].some((path) => folders.some((folder) => isWithin(path, folder)));
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
