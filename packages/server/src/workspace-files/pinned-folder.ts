import { closeSync, constants, mkdirSync, openSync, readlinkSync, realpathSync, rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { FileRefused } from "./root.ts";

const isLinux = process.platform === "linux";

/** A link in the place of the folder is not followed. */
const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Does something in a folder that is known to be the one at its path. Commands that run meanwhile could put a link in the
 * place of any folder that they can write, and the server, which no sandbox holds back, would follow it: what is opened here
 * stays the same folder whatever becomes of its path, and where it lies is looked at after it was opened. Where descriptors
 * have no paths, as on macOS, there remains a moment between looking and doing.
 *
 * @param folder With no link on the way.
 * @param work Gets a path that leads into the folder.
 */
export function inFolder<Result>(folder: string, work: (at: string) => Result): Result {
  return using(openAt(folder, folder), folder, work);
}

/**
 * Makes a folder, and those above it that are missing, each in the one that was opened before. One that is there already is
 * no problem; a link in the place of one is.
 *
 * @param folder With no link on the way.
 * @param made Gets the paths of those that were made, outer ones first; also when a later one fails.
 */
export function makeFolder(folder: string, made: string[] = []): void {
  closeSync(openOrMake(folder, made));
}

/** Removes an empty folder. */
export function removeFolder(folder: string): void {
  inFolder(dirname(folder), (at) => rmdirSync(join(at, basename(folder))));
}

function openOrMake(folder: string, made: string[]): number {
  try {
    return openAt(folder, folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(folder) === folder) throw error;
  }
  const parent = dirname(folder);
  return using(openOrMake(parent, made), parent, (at) => {
    const path = join(at, basename(folder));
    try {
      mkdirSync(path);
      made.push(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    return openAt(path, folder);
  });
}

/** Opens a folder and checks where it lies. */
function openAt(path: string, expected: string): number {
  const descriptor = openSync(path, asFolder);
  try {
    const real = isLinux ? readlinkSync(`/proc/self/fd/${descriptor}`) : realpathSync(path);
    if (real === expected) return descriptor;
    throw new FileRefused("outside", `${expected} was replaced by something else meanwhile; try again`);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function using<Result>(descriptor: number, folder: string, work: (at: string) => Result): Result {
  try {
    return work(isLinux ? `/proc/self/fd/${descriptor}` : folder);
  } finally {
    closeSync(descriptor);
  }
}
