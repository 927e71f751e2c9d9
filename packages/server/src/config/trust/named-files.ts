import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { resolved } from "../project.ts";

/** Where words are looked up. */
export interface NamingPlace {
  /** The project's folder without links. */
  readonly root: string;
  /** Folders that relative words may start from. */
  readonly bases: readonly string[];
}

/** Words beyond this many, and folders beyond that, name nothing: no configuration has them. */
const maxWords = 4000;
const maxBases = 200;

/**
 * The files of a project that words name, by their path relative to the root. A word that names a folder counts as a place to
 * start from (`cd tools && ./x.sh`), and one that begins with a slash may be the end of a path (`$ROOT/x.sh`).
 */
export function namedFiles(words: Iterable<string>, { root, bases }: NamingPlace): Map<string, string> {
  const all = [...words].slice(0, maxWords);
  const found = new Map<string, string>();
  const places = new Set(bases.slice(0, maxBases).map(resolved));
  const look = (path: string): void => {
    const kind = kindOf(path);
    if (kind === undefined) return;
    const real = resolved(path);
    // By the name in the project first: a link that leads out of it is the project's all the same.
    const inside = within(root, path) ?? within(root, real);
    if (kind === "file" && inside !== undefined) found.set(inside, real);
    else if (kind === "folder" && inside !== undefined && places.size < maxBases) places.add(path);
  };
  // Twice: what the first round finds to be a folder, the second starts from.
  for (let round = 0, from = new Set<string>(); round < 2; round++) {
    const starts = [...places].filter((place) => !from.has(place));
    from = new Set(places);
    for (const word of all) {
      if (isAbsolute(word) && round === 0) look(word);
      for (const base of starts) look(isAbsolute(word) ? join(base, word) : resolve(base, word));
    }
  }
  return found;
}

function within(root: string, path: string): string | undefined {
  const inside = relative(root, path);
  const isOutside = inside === "" || inside === ".." || inside.startsWith("../") || isAbsolute(inside);
  return isOutside ? undefined : inside;
}

function kindOf(path: string): "file" | "folder" | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile()) return "file";
    return stat?.isDirectory() ? "folder" : undefined;
  } catch {
    // A word that is no path at all.
    return undefined;
  }
}

interface Hashed {
  readonly stamp: string;
  readonly hash: string;
}

/** A program larger than this is not looked at, and so not trusted. */
const maxScriptBytes = 512 << 20;
/** A change within a file system's tick leaves no mark: what is as young as this is read again. */
const settledMs = 2000;
const maxHashed = 1000;
const hashed = new Map<string, Hashed>();

/** The hash of a regular file's content; `undefined` where there is none to be read. Remembered until the file changes. */
export function fileHash(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file, { bigint: true });
    if (!stat.isFile() || stat.size > maxScriptBytes) return undefined;
    const stamp = `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
    const known = hashed.get(path);
    if (known?.stamp === stamp) return known.hash;
    const hash = hashOfOpen(file);
    if (Date.now() - Number(stat.ctimeNs / 1_000_000n) > settledMs) {
      if (hashed.size >= maxHashed) hashed.clear();
      hashed.set(path, { stamp, hash });
    }
    return hash;
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

function hashOfOpen(file: number): string {
  const hasher = new Bun.CryptoHasher("sha256");
  const chunk = Buffer.allocUnsafe(1 << 16);
  for (;;) {
    const length = readSync(file, chunk, 0, chunk.length, null);
    if (length === 0) return `sha256:${hasher.digest("hex")}`;
    hasher.update(chunk.subarray(0, length));
  }
}
