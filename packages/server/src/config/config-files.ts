import type { Stats } from "node:fs";
import { errorMessage } from "../lib/error-message.ts";
import { statIfExists } from "../lib/stat-if-exists.ts";
import type { Table } from "../lib/table.ts";
import { readFile } from "../workspace-files/read-file.ts";
import { anywhere, FileRefused } from "../workspace-files/root.ts";
import { ConfigError } from "./config-error.ts";
import { parseToml } from "./toml/toml.ts";

/** A config file as it was when it was last read. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly values: Table;
}

interface Cached {
  readonly stamp: string;
  readonly file: ConfigFile | ConfigError;
}

/** A file beyond this is no configuration. */
export const maxBytes: number = 16 << 20;

/** The limit for a project's file, which may be hostile: parsing time grows with the square of its length. */
export const maxProjectBytes: number = 64 << 10;

/** Cached files. Projects come and go in a server that runs for weeks. */
const maxCached = 256;

/** Reads config files, and reads a file again only when it has changed. */
export class ConfigFiles {
  readonly #cache = new Map<string, Cached>();

  /** The file's content; `undefined` when there is none. Throws a {@link ConfigError} when it cannot be used. */
  read(path: string, max: number = maxBytes): ConfigFile | undefined {
    const stat = statReadable(path);
    if (!stat?.isFile()) return undefined;
    const stamp = `${stampOf(stat)} ${max}`;
    const cached = this.#cache.get(path);
    const file = cached?.stamp === stamp ? cached.file : parsed(path, max);
    if (file === undefined) return undefined;
    if (file !== cached?.file) {
      if (this.#cache.size >= maxCached) this.#cache.clear();
      this.#cache.set(path, { stamp, file });
    }
    if (file instanceof ConfigError) throw file;
    return file;
  }
}

function parsed(path: string, max: number): ConfigFile | ConfigError | undefined {
  const text = readConfigText(path, max);
  if (text === undefined) return undefined;
  try {
    return { path, text, values: parseToml(text, path) };
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * A regular file's text; `undefined` for anything else. Checks the open descriptor: a pipe swapped in between would
 * stop the server. Throws a {@link ConfigError} for a file that is too large or unreadable.
 */
export function readConfigText(path: string, max: number = maxBytes): string | undefined {
  try {
    return readFile(path, { ...anywhere(path), maxBytes: max })?.bytes.toString("utf8");
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

/** The stats of a path; `undefined` when nothing is there. Throws a {@link ConfigError} when it may not be read. */
export function statReadable(path: string): Stats | undefined {
  try {
    return statIfExists(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The error for a file that the configuration needs. */
export function unreadable(path: string, cause: unknown): ConfigError {
  const reason = errorMessage(cause);
  return new ConfigError(`${path} cannot be read: ${reason}. Check that it exists and may be read.`);
}
