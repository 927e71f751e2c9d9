import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { isWithin } from "../../lib/is-within.ts";
import { writableFolders } from "./writable-folders.ts";

/** Folders that no command of a model can write; they come first. */
const systemFolders = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin", "/opt/homebrew/bin"];

/**
 * Finds a program that the server runs unconfined. PATH often names folders of the work, such as `node_modules/.bin`,
 * where a command may have put anything: they come last, and are skipped where any thread's commands could write.
 * @param open Further folders that commands can write.
 */
export function findProgram(name: string, path = "/usr/bin:/bin", open: readonly string[] = []): string | undefined {
  const listed = path.split(delimiter).filter(isAbsolute);
  const folders = [...systemFolders.filter((folder) => listed.includes(folder)), ...listed];
  return folders.map((folder) => join(folder, name)).find((file) => isExecutable(file) && isOwn(file, open));
}

/** True when no command can have written it. Working in the root of the file system does not count. */
function isOwn(file: string, open: readonly string[]): boolean {
  return !liesIn(file, open) && (systemFolders.includes(dirname(file)) || !liesIn(file, [...writableFolders()]));
}

function liesIn(file: string, folders: readonly string[]): boolean {
  return [file, realpathSync(file)].some((path) => folders.some((folder) => isWithin(path, folder)));
}

/** True when a file may be executed. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
