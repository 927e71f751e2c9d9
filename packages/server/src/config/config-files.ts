import type { Stats } from "node:fs";
import { statIfThere } from "../stat-if-there.ts";
import { readFile } from "../workspace-files/read-file.ts";
import { anywhere, FileRefused } from "../workspace-files/root.ts";
import { ConfigError } from "./effective-config.ts";
import type { Table } from "./table.ts";
import { parseToml } from "./toml.ts";

/** A config file as it was when it was last read. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly values: Table;
}

interface Cached {
  readonly stamp: string;
  readonly file: ConfigFile;
}

/** A file beyond this is no configuration; in a project, a command may have made it to fill the memory. */
const maxBytes = 16 << 20;

/** Files that are remembered at most; projects come and go in a server that runs for weeks. */
const maxCached = 256;

/** Reads config files, and reads a file again only when it has changed. */
export class ConfigFiles {
  readonly #cache = new Map<string, Cached>();

  /** The file's content; `undefined` when there is none. Throws a {@link ConfigError} for one that cannot be used. */
  read(path: string): ConfigFile | undefined {
    const stat = statReadable(path);
    if (!stat?.isFile()) return undefined;
    const stamp = stampOf(stat);
    const cached = this.#cache.get(path);
    if (cached?.stamp === stamp) return cached.file;
    const text = readConfigText(path);
    if (text === undefined) return undefined;
    const file = { path, text, values: parseToml(text, path) };
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(path, { stamp, file });
    return file;
  }
}

/** What changes when a file does. */
function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * A regular file's text; `undefined` for anything else. What is looked at is what is read: a pipe that took the file's
 * place in between would stop the server. Throws a {@link ConfigError} for a file that is too large or unreadable.
 */
export function readConfigText(path: string): string | undefined {
  try {
    return readFile(path, { ...anywhere(path), maxBytes })?.bytes.toString("utf8");
  } catch (error) {
    if (!(error instanceof FileRefused)) throw unreadable(path, error);
    if (error.reason === "tooLarge") throw new ConfigError(`${error.message}. Make it smaller.`);
    return undefined;
  }
}

/** Reads text that the configuration needs. Throws a {@link ConfigError} that names the file. */
export function readText(path: string): string {
  const text = readConfigText(path);
  if (text === undefined) throw unreadable(path, new Error("it is not a file"));
  return text;
}

/** What a path leads to; `undefined` where it leads nowhere. Throws a {@link ConfigError} where nobody may look. */
export function statReadable(path: string): Stats | undefined {
  try {
    return statIfThere(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The error for a file that the configuration needs. */
export function unreadable(path: string, cause: unknown): ConfigError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError(`${path} cannot be read: ${reason}. Check that it exists and may be read.`);
}
