import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename } from "node:path";
import { isMarked, placeholderBit } from "../../workspace-files/placeholder.ts";
import { libc } from "./libc.ts";
import { recordPlaceholder } from "./placeholder-journal.ts";
import { standIn } from "./start-up-paths.ts";
import { SandboxUnavailable } from "./unavailable.ts";

interface Place {
  /** Open and locked, so that no other server removes the placeholder. `undefined` when something else is there. */
  readonly descriptor: number | undefined;
  /** Identifies the placeholder that was locked. */
  readonly inode: number | undefined;
  users: number;
}

const places = new Map<string, Place>();

/** The next command often follows at once; making and removing a folder takes a fifth of its start. */
const idleMs = 250;
let idleTimer: NodeJS.Timeout | undefined;
let removesAtExit = false;

const shared = 1;
const exclusive = 2;
const atOnce = 4;

/** Errors that mean that neither this user nor its commands can create anything there. */
const notOurs: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOENT"]);

/**
 * Keeps something at each path while a command runs, as a mount needs it. A missing path gets an empty folder or file,
 * shared by the commands of all servers and removed after the last.
 * @returns Releases them.
 */
export function holdPlaceholders(paths: readonly string[], home: string): () => void {
  const held: string[] = [];
  const release = () => {
    for (const path of held.splice(0)) giveUp(path);
  };
  try {
    for (const path of paths) {
      join(path, home);
      held.push(path);
    }
  } catch (error) {
    release();
    throw new SandboxUnavailable(
      `${(error as Error).message}: commands could make what decides over other programs, and it cannot be kept from them`,
    );
  }
  return release;
}

/** Counts a command in, and makes a removed placeholder again. */
function join(path: string, home: string): void {
  const known = places.get(path);
  const inode = lstatSync(path, { throwIfNoEntry: false })?.ino;
  if (known !== undefined && known.inode === inode && inode !== undefined) {
    known.users += 1;
    return;
  }
  if (known?.descriptor !== undefined) closeSync(known.descriptor);
  places.delete(path);
  const descriptor = take(path, home);
  const taken = descriptor === undefined ? inode : fstatSync(descriptor).ino;
  places.set(path, { descriptor, inode: taken, users: (known?.users ?? 0) + 1 });
}

/** Makes or joins a placeholder; `undefined` when something else is there, or nothing can be. */
function take(path: string, home: string): number | undefined {
  // Another server may remove it between any two steps.
  for (let tries = 0; tries < 100; tries++) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !isMarked(found)) return undefined;
    if (found === undefined && !make(path, home)) return undefined;
    const descriptor = lockedPlace(path, shared);
    if (descriptor !== undefined) return descriptor;
  }
  // Somebody holds it for longer than it takes to remove it, and so keeps the place.
  return undefined;
}

/** Makes a placeholder; false when this user cannot. */
function make(path: string, home: string): boolean {
  const text = standIn(basename(path));
  recordPlaceholder(home, path);
  try {
    if (text === undefined) mkdirSync(path, { mode: placeholderBit | 0o755 });
    else {
      const descriptor = openSync(
        path,
        constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
        placeholderBit | 0o644,
      );
      writeSync(descriptor, text);
      closeSync(descriptor);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (notOurs.has(code)) return false;
    if (code !== "EEXIST") throw error;
  }
  return true;
}

/** Opens and locks a placeholder; `undefined` when it is gone, replaced or locked otherwise. */
function lockedPlace(path: string, lock: number): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  const system = libc();
  const locked = system === undefined || system.flock(descriptor, lock | atOnce) === 0;
  const now = lstatSync(path, { throwIfNoEntry: false });
  if (locked && now?.ino === fstatSync(descriptor).ino) return descriptor;
  closeSync(descriptor);
  return undefined;
}

function giveUp(path: string): void {
  const place = places.get(path);
  if (!place) return;
  place.users -= 1;
  if (place.users > 0 || idleTimer) return;
  idleTimer = setTimeout(removeIdlePlaceholders, idleMs);
  idleTimer.unref();
  if (removesAtExit) return;
  removesAtExit = true;
  process.once("exit", removeIdlePlaceholders);
}

/** Removes the placeholders that no command needs any more. Until then they wait a moment for the next command. */
export function removeIdlePlaceholders(): void {
  clearTimeout(idleTimer);
  idleTimer = undefined;
  for (const [path, { descriptor, users }] of places) {
    if (users > 0) continue;
    places.delete(path);
    if (descriptor === undefined) continue;
    if (libc()?.flock(descriptor, exclusive | atOnce) === 0) remove(path, descriptor);
    closeSync(descriptor);
  }
}

/** Removes the placeholder of a killed server, unless it is locked or in use as something else. */
export function removePlaceholder(path: string): void {
  if (places.has(path) || !isMarked(lstatSync(path, { throwIfNoEntry: false }))) return;
  const descriptor = lockedPlace(path, exclusive);
  if (descriptor === undefined) return;
  remove(path, descriptor);
  closeSync(descriptor);
}

function remove(path: string, descriptor: number): void {
  try {
    const text = standIn(basename(path));
    // Never takes anything away with it.
    if (text === undefined) rmdirSync(path);
    else if (fstatSync(descriptor).size === text.length && isMarked(lstatSync(path))) unlinkSync(path);
  } catch {
    // Somebody uses it by now.
  }
}
