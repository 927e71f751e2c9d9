import { type Dirent, readdirSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, normalize } from "node:path";
import { Breath } from "./breath.ts";
import { IgnoreChain } from "./ignore-chain.ts";
import type { PathIndex } from "./path-index.ts";

/** Folders that are read at once: enough to keep the disk busy. */
const parallel = 16;

/** A folder that the system has at hand takes less; handing it to another thread would take longer. */
const quickMs = 2;

/** Folders that are read on other threads after one was not at hand. */
const slowFolders = 64;

/** Entries of one search. What comes after is not found. */
const maxEntries = 2_000_000;

interface Folder {
  /** Absolute, with a slash. */
  readonly path: string;
  /** Where links have led to, with a slash: a link that leads above itself is not followed. */
  readonly real: string;
  readonly ignores: IgnoreChain;
}

/** Where paths are collected from, and into what. */
export interface WalkOptions {
  readonly index: PathIndex;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Has it rest, once there are this many paths, until the promise resolves. */
  readonly rest?: { readonly after: number; readonly until: Promise<void> } | undefined;
}

/** Puts all paths below a root into the index, but what is ignored and git's own. A root that is not there has none. */
export async function walk(given: string, { index, env, signal, rest }: WalkOptions): Promise<void> {
  if (!isAbsolute(given)) return;
  const root = normalize(given).replace(/(?<=.)\/$/, "");
  const path = root === "/" ? root : `${root}/`;
  const pending: Folder[] = [
    { path, real: `${await realpath(root).catch(() => root)}/`, ignores: IgnoreChain.at(root, env) },
  ];
  const breath = new Breath();
  let slow = 0;

  const list = (folder: string): Dirent[] | Promise<Dirent[]> => {
    if (slow > 0) {
      slow -= 1;
      return readdir(folder, { withFileTypes: true }).catch(() => []);
    }
    const began = performance.now();
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch {
      return [];
    } finally {
      if (performance.now() - began > quickMs) slow = slowFolders;
    }
  };

  const read = async (folder: Folder): Promise<void> => {
    const listed = list(folder.path);
    const found = Array.isArray(listed) ? listed : await listed;
    if (found.length === 0) return;
    const ignores = folder.ignores.inside(folder.path, ignoreFiles(found));
    const below = folder.path.slice(path.length);
    for (const entry of found) {
      const { name } = entry;
      if (name === ".git" || index.size >= maxEntries) continue;
      const link = entry.isSymbolicLink() ? await followed(folder, name) : undefined;
      if (link === null) continue;
      const isFolder = link ? link.isFolder : entry.isDirectory();
      if (ignores.ignores(folder.path, name, isFolder)) continue;
      index.add(given, below, name, isFolder);
      if (isFolder && !link?.isLoop) {
        pending.push({ path: `${folder.path}${name}/`, real: link?.real ?? `${folder.real}${name}/`, ignores });
      }
      if (rest && index.size >= rest.after) await rest.until;
      if (breath.due) await breath.take();
      if (signal.aborted) return;
    }
  };

  const running = new Set<Promise<void>>();
  while (!signal.aborted && (pending.length > 0 || running.size > 0)) {
    while (pending.length > 0 && running.size < parallel) {
      const reading: Promise<void> = read(pending.pop() as Folder).finally(() => running.delete(reading));
      running.add(reading);
    }
    await Promise.race(running);
  }
  await Promise.all(running);
}

function ignoreFiles(found: readonly Dirent[]): string[] {
  return found.filter(({ name }) => name === ".gitignore" || name === ".ignore").map(({ name }) => name);
}

interface Followed {
  readonly isFolder: boolean;
  readonly isLoop: boolean;
  readonly real: string;
}

/** What a link leads to; `null` for nothing. */
async function followed(folder: Folder, name: string): Promise<Followed | null> {
  try {
    const path = folder.path + name;
    const [target, to] = await Promise.all([stat(path), realpath(path)]);
    const real = `${to}/`;
    return { isFolder: target.isDirectory(), isLoop: `${folder.real}${name}/`.startsWith(real), real };
  } catch {
    return null;
  }
}
