import { closeSync, constants, mkdirSync, openSync, readlinkSync, realpathSync, rmdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { FileRefused } from "./root.ts";

const isLinux = process.platform === "linux";

/** Does not follow a link in place of the folder. */
const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Open descriptors. Beyond this, the oldest is closed and opened again when needed. */
const maxOpen = 64;

/**
 * Open folders to work in, each verified to be the one at its path. A command could replace any folder it can write by
 * a link, which the unconfined server would follow; an open descriptor stays the same folder. On macOS, where
 * descriptors have no paths, a moment remains between check and use. Each folder is opened once; dispose to close them.
 */
export class PinnedFolders implements Disposable {
  readonly #open = new Map<string, number>();

  /**
   * A path into a folder, to be used at once.
   * @param folder Without links.
   */
  at(folder: string): string {
    const known = this.#open.get(folder);
    return known === undefined ? this.#pin(folder, folder) : pathOf(known);
  }

  /**
   * Like {@link at}, but creates missing folders, each inside the verified one above. Follows no links.
   * @param made Receives the paths of created folders, outer ones first, even when a later one fails.
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

  remove(folder: string): void {
    rmdirSync(`${this.at(dirname(folder))}/${basename(folder)}`);
  }

  /** Throws unless every open folder is still at its path. */
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
