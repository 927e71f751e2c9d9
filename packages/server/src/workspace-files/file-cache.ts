import type { Stats } from "node:fs";
import { statIfExists } from "../lib/stat-if-exists.ts";
import { listFolder } from "./list-folder.ts";
import { readFile } from "./read-file.ts";
import { FileRefused, type Root } from "./root.ts";

/** A file changed so shortly before may change again within the clock's resolution; it is not cached. */
const grainMs = 50;

/** Larger files are no text for a model; a command may have made one to fill the server's memory. */
const maxBytes = 16 << 20;

interface Entry<T> {
  readonly stamp: string;
  readonly value: T;
}

/** Options of a {@link FileCache}. */
export interface FileCacheOptions {
  /** The server's home, whose files are hidden. */
  readonly home: string;
  /** Replaces `stat`. */
  readonly look?: ((path: string) => Stats | undefined) | undefined;
  /** Maximum number of entries. Beyond it the cache is emptied, which costs one more read each. */
  readonly max?: number | undefined;
}

/**
 * Reads files and folders again only when their `stat` changed. Paths are resolved and checked when read. A path that
 * leads elsewhere later has another stamp, unless it leads to the very file that was checked.
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

  /** True when a path leads to anything visible. */
  exists(path: string): boolean {
    try {
      return this.#look(path) !== undefined;
    } catch {
      return false;
    }
  }

  /** A file's bytes; `undefined` when it is missing, hidden, outside of the root or over 16 MiB. Throws otherwise. */
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

  /** The names in a folder; empty when the folder is missing, outside of the root or unreadable. */
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

/** A path may be requested in several roots and be allowed in only some. */
function keyOf({ path, trusted }: Root): string {
  return trusted ? `trusted ${path}` : path;
}

const none: ReadonlySet<string> = new Set();
