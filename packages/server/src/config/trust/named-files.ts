import { statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { resolved } from "../project.ts";
import { programFolders } from "./implied-words.ts";
import { tried } from "./loaded-words.ts";
import { readScript } from "./script-file.ts";

/** The folders in which words are looked up. */
export interface NamingPlace {
  readonly root: string;
  /** Folders that relative words may start from. */
  readonly bases: readonly string[];
}

/** Limits that no real configuration reaches. */
const maxWords = 4000;
const maxBases = 200;
const maxFiles = 500;

/**
 * The files of a project that words name, and those that these run in turn: relative path and content hash (`undefined`
 * for an unreadable one). A folder counts as a start (`cd tools && ./x.sh`), and a word with a leading slash may be the
 * end of a path (`$ROOT/x.sh`).
 */
export function namedFiles(words: Iterable<string>, place: NamingPlace): Map<string, string | undefined> {
  return searchFiles(words, place).found;
}

/** Like {@link namedFiles}, with the real paths of the files that the words themselves name. */
export function searchFiles(words: Iterable<string>, { root, bases }: NamingPlace): FoundFiles {
  const search = new Search(root);
  const all = [...words].slice(0, maxWords);
  const starts = [...new Set(bases.slice(0, maxBases).map(resolved))];
  const places = new Set([...starts, ...programPlaces(root, starts)]);
  // Twice: what the first round finds to be a folder, the second starts from.
  for (let round = 0, from = new Set<string>(); round < 2; round++) {
    const fresh = [...places].filter((place) => !from.has(place));
    from = new Set(places);
    for (const word of all) {
      const candidates = fresh.map((base) => (isAbsolute(word) ? join(base, word) : resolve(base, word)));
      if (isAbsolute(word) && round === 0) candidates.unshift(word);
      for (const path of candidates) if (search.look(path) === "folder" && places.size < maxBases) places.add(path);
    }
  }
  const direct = [...search.paths];
  search.follow();
  return { found: search.found, direct };
}

/** The files that words name. */
export interface FoundFiles {
  readonly found: Map<string, string | undefined>;
  readonly direct: readonly string[];
}

/** The folders of a project in which programs are found without a path, by package managers or PATH. */
function programPlaces(root: string, bases: readonly string[]): string[] {
  const own = bases.flatMap((base) => programFolders.map((folder) => join(base, folder)));
  const listed = (process.env.PATH ?? "")
    .split(":")
    .flatMap((folder) => (isAbsolute(folder) ? [folder] : bases.map((base) => join(base, folder))))
    .filter((folder) => within(root, folder) !== undefined);
  return [...own.filter((folder) => kindOf(folder) === "folder"), ...listed];
}

class Search {
  readonly found = new Map<string, string | undefined>();
  readonly paths = new Set<string>();
  readonly #root: string;
  /** The folders of unread files and the words in them. */
  readonly #unread: { readonly folder: string; readonly loads: readonly string[] }[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** Adds a file of the project. Returns what the path leads to. */
  look(path: string): "file" | "folder" | undefined {
    const kind = kindOf(path);
    if (kind === undefined) return undefined;
    const real = resolved(path);
    // By the name in the project first: a link that leads out of it is the project's all the same.
    const inside = within(this.#root, path) ?? within(this.#root, real);
    if (inside === undefined) return undefined;
    if (kind === "file" && !this.found.has(inside) && this.found.size < maxFiles) {
      const script = readScript(real);
      this.found.set(inside, script?.hash);
      this.paths.add(real);
      if (script && script.loads.length > 0) this.#unread.push({ folder: dirname(real), loads: script.loads });
    }
    return kind;
  }

  /** Follows the files found so far to the files that they run. */
  follow(): void {
    for (let file = this.#unread.shift(); file; file = this.#unread.shift()) {
      for (const word of file.loads) {
        for (const base of new Set([file.folder, this.#root])) this.#inside(join(base, word));
        // A loader starts from the file itself.
        if (/^\.{1,2}\//.test(word) && !basename(word).includes("."))
          for (const ending of tried) this.#inside(join(file.folder, `${word}${ending}`));
      }
    }
  }

  #inside(path: string): void {
    if (within(this.#root, path) !== undefined) this.look(path);
  }
}

function within(root: string, path: string): string | undefined {
  if (!isAbsolute(path)) return undefined;
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
