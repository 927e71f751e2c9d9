import { closeSync, constants, mkdirSync, openSync, readlinkSync, realpathSync, rmdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { FileRefused } from "./root.ts";

const isLinux = process.platform === "linux";

/** A link in the place of the folder is not followed. */
const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Descriptors that are kept. Of more folders, the one that was opened first is opened again when it is needed. */
const maxOpen = 64;

/**
 * Folders to do something in, each known to be the one at its path. Commands that run meanwhile could put a link in the
 * place of any folder that they can write, and the server, which no sandbox holds back, would follow it: what is opened here
 * stays the same folder whatever becomes of its path, and where it lies is looked at after it was opened. Where descriptors
 * have no paths, as on macOS, there remains a moment between looking and doing.
 *
 * Each is opened once. Whoever makes this disposes it, which closes them.
 */
export class PinnedFolders implements Disposable {
  readonly #open = new Map<string, number>();

  /**
   * A path that leads into a folder. It is for use at once.
   *
   * @param folder With no link on the way.
   */
  at(folder: string): string {
    const known = this.#open.get(folder);
    return known === undefined ? this.#pin(folder, folder) : pathOf(known);
  }

  /**
   * The same for a folder that may be missing: it is made, as those above it are, each in the one that was opened before.
   * A link in the place of one is not followed.
   *
   * @param made Gets the paths of those that were made, outer ones first; also when a later one fails.
   */
  make(folder: string, made: string[]): string {
    try {
      return this.at(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(folder) === folder) throw error;
    }
    const path = `${this.make(dirname(folder), made)}/${basename(folder)}`;
    try {
      mkdirSync(path);
      made.push(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    return this.#pin(path, folder);
  }

  /** Removes an empty folder. */
  remove(folder: string): void {
    rmdirSync(`${this.at(dirname(folder))}/${basename(folder)}`);
  }

  /** Throws unless every open folder still lies where it did. */
  confirm(): void {
    for (const [folder, descriptor] of this.#open) checkPlace(readlinkSync(pathOf(descriptor)), folder);
  }

  [Symbol.dispose](): void {
    for (const descriptor of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
  }

  #pin(path: string, folder: string): string {
    const descriptor = openAt(path, folder);
    if (!isLinux) {
      closeSync(descriptor);
      return folder;
    }
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size >= maxOpen) {
      this.#open.delete(oldest[0]);
      closeSync(oldest[1]);
    }
    this.#open.set(folder, descriptor);
    return pathOf(descriptor);
  }
}

/** Opens a folder and checks where it lies. */
function openAt(path: string, expected: string): number {
  const descriptor = openSync(path, asFolder);
  try {
    checkPlace(isLinux ? readlinkSync(pathOf(descriptor)) : realpathSync(path), expected);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function checkPlace(real: string, expected: string): void {
  if (real !== expected)
    throw new FileRefused("outside", `${expected} was replaced by something else meanwhile; try again`);
}

function pathOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}
