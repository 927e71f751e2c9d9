import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isCommonFolder, isHidden, isLinkedInHome } from "./hidden-files.ts";
import { hiddenHomes } from "./hidden-homes.ts";
import { pathOnly, reading } from "./open-file.ts";
import { type ReadFile, readAll, readFile } from "./read-file.ts";
import { pathWithoutLinks } from "./real-path.ts";
import { FileRefused } from "./root.ts";

const isLinux = process.platform === "linux";

/** Open descriptors. Beyond this, the oldest is closed and opened again when needed. */
const maxOpen = 64;

/** A file that was asked for. */
export interface SourceFile {
  /** Its real path, even if it does not exist. Keeps a broken link. */
  readonly real: string;
  /** `undefined` when nothing is there. */
  readonly found: ReadFile | undefined;
}

interface Folder {
  /** `undefined` for one that is missing. */
  readonly descriptor: number | undefined;
  readonly real: string;
  /** True when no file in it is hidden by its path. */
  readonly common: boolean;
}

/** Options of {@link SourceFiles}. */
export interface SourceAccess {
  readonly home: string;
  readonly maxBytes: number;
}

/** Reads many files anywhere except hidden ones. Folders are opened once. Dispose to close them. */
export class SourceFiles implements Disposable {
  readonly #access: SourceAccess;
  readonly #homes: readonly string[];
  readonly #folders = new Map<string, Folder | undefined>();

  constructor(access: SourceAccess) {
    this.#access = access;
    this.#homes = hiddenHomes(access.home);
  }

  /** Follows links. Throws a {@link FileRefused} for a file that is hidden, too large or no file. */
  read(path: string): SourceFile {
    const name = basename(path);
    const folder = isLinux && name !== "" ? this.#folder(dirname(path)) : undefined;
    if (folder === undefined) return this.#readAnywhere(path);
    const real = join(folder.real, name);
    // Devices and pipes are not even opened, and nothing is thrown for a file that is new.
    const seen = folder.descriptor === undefined ? undefined : lstatSync(real, { throwIfNoEntry: false });
    if (seen === undefined) return { real, found: undefined };
    if (!seen.isFile()) return this.#readAnywhere(path);
    const descriptor = openSync(`/proc/self/fd/${folder.descriptor}/${name}`, reading | constants.O_NOFOLLOW);
    try {
      const stats = fstatSync(descriptor);
      this.#check(real, stats, folder);
      return { real, found: { bytes: readAll({ descriptor, stats }, real, this.#access.maxBytes), stats } };
    } finally {
      closeSync(descriptor);
    }
  }

  [Symbol.dispose](): void {
    for (const folder of this.#folders.values()) close(folder);
    this.#folders.clear();
  }

  #check(real: string, stats: Stats, { common }: Folder): void {
    const { home } = this.#access;
    const hidden = common
      ? stats.nlink > 1 && isLinkedInHome(stats, this.#homes)
      : isHidden({ real, stats }, { root: { path: dirname(real) }, home });
    if (hidden) throw new FileRefused("hidden", `${real} is not for models and commands`);
    if (!stats.isFile()) throw new FileRefused("notFile", `${real} is not a file`);
  }

  #readAnywhere(path: string): SourceFile {
    const real = pathWithoutLinks(path);
    const root = { path: dirname(real), trusted: true };
    return { real, found: readFile(real, { root, ...this.#access }) };
  }

  /** `undefined` when it is unknown. */
  #folder(path: string): Folder | undefined {
    if (this.#folders.has(path)) return this.#folders.get(path);
    const [oldest] = this.#folders;
    if (oldest !== undefined && this.#folders.size >= maxOpen) {
      this.#folders.delete(oldest[0]);
      close(oldest[1]);
    }
    const folder = openFolder(path, this.#homes);
    this.#folders.set(path, folder);
    return folder;
  }
}

function openFolder(path: string, homes: readonly string[]): Folder | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, pathOnly | constants.O_DIRECTORY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return undefined;
    return { descriptor: undefined, real: pathWithoutLinks(path), common: true };
  }
  const real = readlinkSync(`/proc/self/fd/${descriptor}`);
  // A removed folder reports a path that never existed.
  if (fstatSync(descriptor).nlink > 0) return { descriptor, real, common: isCommonFolder(real, homes) };
  closeSync(descriptor);
  return undefined;
}

function close(folder: Folder | undefined): void {
  if (folder?.descriptor !== undefined) closeSync(folder.descriptor);
}
