import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { isWithin } from "../lib/is-within.ts";
import { isHidden } from "./hidden-files.ts";
import { type Opened, pathOnly } from "./open-file.ts";
import { type ReadFile, readingAll } from "./read-file.ts";
import { realPathOf } from "./real-path.ts";
import { FileRefused } from "./root.ts";

/** Options of {@link openPinned}. */
export interface PinnedAccess {
  /** The server's home. Nobody else writes there, and links in it are the user's. */
  readonly home: string;
  /** Flags for `open`. Default: read only. */
  readonly flags?: number | undefined;
}

const isLinux = process.platform === "linux";

/** Never waits for a pipe's other end, and takes no terminal. */
const quietly = constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * The path of a file that the server will keep using. Outside of the home, links are resolved once: a user who can
 * write there could lead the server to another file later.
 */
export function pinnedPath(path: string, home: string): string {
  return isWithin(path, home) ? path : realPathOf(path);
}

/**
 * Opens a regular file that the server keeps using. The caller closes the descriptor.
 * @param path From {@link pinnedPath}.
 * @throws {FileRefused} For anything but a file; outside of the home also for links and hidden files.
 */
export function openPinned(path: string, { home, flags = constants.O_RDONLY }: PinnedAccess): Omit<Opened, "real"> {
  if (isWithin(path, home)) return checked(openSync(path, flags | quietly), (stats) => checkFile(path, stats));
  const check = (stats: Stats, real: string) => checkElsewhere({ path, real, stats }, home);
  if (!isLinux) {
    // Looked at before, so that no device is opened, and after.
    check(statSync(path), realpathSync(path));
    const descriptor = openSync(path, flags | quietly | constants.O_NOFOLLOW);
    return checked(descriptor, (stats) => {
      const now = statSync(path);
      if (now.ino !== stats.ino || now.dev !== stats.dev) throw moved(path);
      check(stats, realpathSync(path));
    });
  }
  const handle = openSync(path, pathOnly | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(handle);
    check(stats, readlinkSync(`/proc/self/fd/${handle}`));
    return { descriptor: openSync(`/proc/self/fd/${handle}`, flags | quietly), stats };
  } finally {
    closeSync(handle);
  }
}

/** Reads such a file in pieces. A larger one is refused, also one that grows beyond it while it is read. */
export function* readingPinned(path: string, home: string, maxBytes: number): Generator<undefined, ReadFile> {
  const { descriptor, stats } = openPinned(path, { home });
  try {
    return { bytes: yield* readingAll({ descriptor, stats }, path, maxBytes), stats };
  } finally {
    closeSync(descriptor);
  }
}

function checked(descriptor: number, check: (stats: Stats) => void): Omit<Opened, "real"> {
  try {
    const stats = fstatSync(descriptor);
    check(stats);
    return { descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

interface Found {
  readonly path: string;
  readonly real: string;
  readonly stats: Stats;
}

function checkElsewhere({ path, real, stats }: Found, home: string): void {
  if (real !== path) throw moved(path);
  if (isHidden({ real, stats }, { root: { path: dirname(path) }, home }))
    throw new FileRefused("hidden", `${path} is not for models and commands`);
  checkFile(path, stats);
}

function checkFile(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new FileRefused("notFile", `${path} is no file`);
}

function moved(path: string): FileRefused {
  return new FileRefused("outside", `${path} is a link, or was replaced by something else; put the file itself there`);
}
