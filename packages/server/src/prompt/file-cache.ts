import { readdirSync, readFileSync, type Stats } from "node:fs";
import { statIfThere } from "../stat-if-there.ts";

/** A file or folder changed so shortly before it was read may change again within the clock's grain; it is not kept. */
const grainMs = 50;

/** A file beyond this is no text for a model; a command may have made it to fill the server's memory. */
const maxBytes = 16 << 20;

interface Entry<T> {
  readonly stamp: string;
  readonly value: T;
}

/**
 * Reads files and folders, and again only when they changed: one `stat` each for what is known already.
 * Bounded: beyond the limit all is forgotten, which costs one more read each.
 */
export class FileCache {
  readonly #entries = new Map<string, Entry<unknown>>();
  readonly #look: (path: string) => Stats | undefined;
  readonly #max: number;

  /**
   * @param look How a path is looked at.
   * @param max How many files and folders are remembered.
   */
  constructor(look: (path: string) => Stats | undefined = statIfThere, max = 1000) {
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

  /** A file's bytes; `undefined` where there is no such file, or one beyond 16 MiB. Other failures are thrown. */
  bytes(path: string): Uint8Array | undefined {
    return this.#get("file", path, (stats) =>
      stats.isFile() && stats.size <= maxBytes ? readFileSync(path) : undefined,
    );
  }

  /** The names in a folder; empty where there is no such folder or it cannot be read. */
  names(path: string): ReadonlySet<string> {
    try {
      return this.#get("names", path, (stats) => new Set(stats.isDirectory() ? readdirSync(path) : [])) ?? none;
    } catch {
      return none;
    }
  }

  /** @param kind What is read of the path: one path may be asked for as a file and as a folder. */
  #get<T>(kind: "file" | "names", path: string, read: (stats: Stats) => T): T | undefined {
    const stats = this.#look(path);
    if (!stats) return undefined;
    const stamp = `${stats.ino}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}`;
    const key = `${kind} ${path}`;
    const known = this.#entries.get(key);
    if (known?.stamp === stamp) return known.value as T;
    const value = read(stats);
    if (this.#entries.size >= this.#max) this.#entries.clear();
    if (Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) > grainMs) this.#entries.set(key, { stamp, value });
    return value;
  }
}

const none: ReadonlySet<string> = new Set();
