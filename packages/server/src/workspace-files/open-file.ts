import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { isWithin } from "../lib/is-within.ts";
import { isHidden } from "./hidden-files.ts";
import { realPathOf } from "./real-path.ts";
import { type Access, FileRefused } from "./root.ts";

/** An open file or folder with its path. The caller closes the descriptor. */
export interface Opened {
  readonly descriptor: number;
  readonly stats: Stats;
  readonly real: string;
}

const isLinux = process.platform === "linux";

/** Linux's `O_PATH`: a descriptor that reads nothing, so that opening a pipe or device does nothing. */
export const pathOnly: number = 0o10000000;

/** Never waits for a pipe's other end, and takes no terminal. */
export const reading: number = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Codes of paths that lead nowhere. */
const nowhere: ReadonlySet<string | undefined> = new Set([
  "ENOENT",
  "ENOTDIR",
  "ELOOP",
  "ENAMETOOLONG",
  // A name with a NUL in it.
  "ERR_INVALID_ARG_VALUE",
]);

/** A file that is replaced while it is opened has no path any more. It is opened again this often. */
const maxAttempts = 5;

/**
 * Opens a file for reading and checks it by its descriptor, so that nobody can swap it between check and read.
 * @returns `undefined` when nothing is there.
 * @throws {FileRefused} For a path out of the root, a hidden file, or no regular file.
 */
export function openFile(path: string, access: Access): Opened | undefined {
  return openChecked(path, access, "file");
}

/** Opens a folder, to do something in it by {@link folderPath}. As {@link openFile}. */
export function openFolder(path: string, access: Access): Opened | undefined {
  return openChecked(path, access, "folder");
}

/** A path into an open folder, even if its own path has changed. Without descriptor paths, its own. */
export function folderPath({ descriptor, real }: Pick<Opened, "descriptor" | "real">): string {
  return isLinux ? `/proc/self/fd/${descriptor}` : real;
}

function isNowhere(error: unknown): boolean {
  return nowhere.has((error as NodeJS.ErrnoException).code);
}

function openChecked(path: string, access: Access, kind: "file" | "folder"): Opened | undefined {
  try {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const opened = isLinux ? openByPath(path, access, kind) : openThenLook(path, access, kind);
      if (opened !== "replaced") return opened;
    }
    return undefined;
  } catch (error) {
    if (isNowhere(error)) return undefined;
    throw error;
  }
}

function openByPath(path: string, access: Access, kind: "file" | "folder"): Opened | "replaced" {
  const handle = openSync(path, pathOnly);
  try {
    const stats = fstatSync(handle);
    if (stats.nlink === 0) return "replaced";
    const real = readlinkSync(`/proc/self/fd/${handle}`);
    check({ path, real, stats }, access, kind);
    const directory = kind === "folder" ? constants.O_DIRECTORY : 0;
    return { descriptor: openSync(`/proc/self/fd/${handle}`, reading | directory), stats, real };
  } finally {
    closeSync(handle);
  }
}

/** Without descriptor paths, checks before and after opening and refuses what differs. */
function openThenLook(path: string, access: Access, kind: "file" | "folder"): Opened | "replaced" {
  const real = realpathSync(path);
  check({ path, real, stats: statSync(real) }, access, kind);
  const descriptor = openSync(real, reading | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(descriptor);
    const now = statSync(real, { throwIfNoEntry: false });
    const same = now?.ino === stats.ino && now.dev === stats.dev && realpathSync(real) === real;
    if (same) {
      check({ path, real, stats }, access, kind);
      return { descriptor, stats, real };
    }
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return "replaced";
}

interface Found {
  readonly path: string;
  readonly real: string;
  readonly stats: Stats;
}

function check({ path, real, stats }: Found, access: Access, kind: "file" | "folder"): void {
  const { root } = access;
  if (root.trusted !== true && !isWithin(real, realPathOf(root.path)))
    throw new FileRefused("outside", `${path} leads out of ${root.path}; put the file itself there`);
  if (isHidden({ real, stats }, access)) throw new FileRefused("hidden", `${path} is not for models and commands`);
  if (kind === "file" && !stats.isFile()) throw new FileRefused("notFile", `${path} is not a file`);
  if (kind === "folder" && !stats.isDirectory()) throw new FileRefused("notFolder", `${path} is not a folder`);
}
