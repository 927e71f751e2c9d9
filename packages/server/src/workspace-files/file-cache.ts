import type { Stats } from "node:fs";
import { statIfExists } from "../lib/stat-if-exists.ts";
import { listFolder } from "./list-folder.ts";
import { readFile } from "./read-file.ts";
import { FileRefused, type Root } from "./root.ts";

/** A file or folder changed so shortly before it was read may change again within the clock's grain; it is not kept. */
const grainMs = 50;

/** A file beyond this is no text for a model; a command may have made it to fill the server's memory. */
const maxBytes = 16 << 20;

interface Entry<T> {
  readonly stamp: string;
  readonly value: T;
}

/** What a cache is made with. */
export interface FileCacheOptions {
  /** The server's home, whose files are hidden. */
  readonly home: string;
  /** How a path is looked at. */
  readonly look?: ((path: string) => Stats | undefined) | undefined;
  /** How many files and folders are remembered. Beyond, all is forgotten, which costs one more read each. */
  readonly max?: number | undefined;
}

/**
 * Reads files and folders, and again only when they changed: one `stat` each for what is known already. Where a path leads
 * is checked when it is read. A path that leads elsewhere later has another stamp, which names the file itself, unless it
 * leads to the very file that was checked.
 */
export class FileCache {
  readonly #entries = new Map<string, Entry<unknown>>();
  readonly #home: string;
  readonly #look: (path: string) => Stats | undefined;
  readonly #max: number;

  constructor({ home, look = statIfExists, max = 1000 }: FileCacheOptions) {
    this.#home = home;
    this.#look = look;
    this.#max = max;
  }

  /** Whether a path leads to anything that can be seen. */
  exists(path: string): boolean {
    try {
      return this.#look(path) !== undefined;
    } catch {
      return false;
    }
  }

  /**
   * A file's bytes; `undefined` where there is no such file in the root, or one that is hidden or beyond 16 MiB. Other
   * failures are thrown.
   */
  bytes(path: string, root: Root): Uint8Array | undefined {
    return this.#get(`file ${keyOf(root)} ${path}`, path, () => {
      try {
        return readFile(path, { root, home: this.#home, maxBytes })?.bytes;
      } catch (error) {
        if (error instanceof FileRefused) return undefined;
        throw error;
      }
    });
  }

  /** The names in a folder; empty where there is no such folder in the root or it cannot be read. */
  names(path: string, root: Root): ReadonlySet<string> {
    try {
      const read = () => new Set(listFolder(path, { root, home: this.#home }));
      return this.#get(`names ${keyOf(root)} ${path}`, path, read) ?? none;
    } catch {
      return none;
    }
  }

  #get<T>(key: string, path: string, read: () => T): T | undefined {
    const stats = this.#look(path);
    if (!stats) return undefined;
    const stamp = `${stats.dev}:${stats.ino}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}`;
    const known = this.#entries.get(key);
    if (known?.stamp === stamp) return known.value as T;
    const value = read();
    if (this.#entries.size >= this.#max) this.#entries.clear();
    if (Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) > grainMs) this.#entries.set(key, { stamp, value });
    return value;
  }
}

/** One path may be asked for in several roots, and be let through in some. */
function keyOf({ path, trusted }: Root): string {
  return trusted ? `trusted ${path}` : path;
}

const none: ReadonlySet<string> = new Set();
