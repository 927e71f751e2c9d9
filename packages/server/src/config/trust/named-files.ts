import { statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { resolved } from "../project.ts";
import { programFolders } from "./implied-words.ts";
import { tried } from "./loaded-words.ts";
import { readScript } from "./script-file.ts";

/** Where words are looked up. */
export interface NamingPlace {
  /** The project's folder without links. */
  readonly root: string;
  /** Folders that relative words may start from. */
  readonly bases: readonly string[];
}

/** Words beyond this many, folders beyond that, and files beyond those name nothing: no configuration has them. */
const maxWords = 4000;
const maxBases = 200;
const maxFiles = 500;

/**
 * The files of a project that words name, and those that these run in turn: by their path relative to the root, with the
 * hash of their content (`undefined` for one that cannot be read). A word that names a folder counts as a place to start
 * from (`cd tools && ./x.sh`), and one that begins with a slash may be the end of a path (`$ROOT/x.sh`).
 */
export function namedFiles(words: Iterable<string>, place: NamingPlace): Map<string, string | undefined> {
  return searchFiles(words, place).found;
}

/** The same, and where those lie that the words themselves name, without links. */
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

/** What words name. */
export interface FoundFiles {
  readonly found: Map<string, string | undefined>;
  readonly direct: readonly string[];
}

/** Where programs of a project are found without a path: as its package managers keep them, and as PATH says. */
function programPlaces(root: string, bases: readonly string[]): string[] {
  const own = bases.flatMap((base) => programFolders.map((folder) => join(base, folder)));
  const listed = (process.env.PATH ?? "")
    .split(":")
    .flatMap((folder) => (isAbsolute(folder) ? [folder] : bases.map((base) => join(base, folder))))
    .filter((folder) => within(root, folder) !== undefined);
  return [...own.filter((folder) => kindOf(folder) === "folder"), ...listed];
}

/** Collects files. */
class Search {
  readonly found = new Map<string, string | undefined>();
  readonly paths = new Set<string>();
  readonly #root: string;
  /** Files whose content may name more: where they lie, and what they name. */
  readonly #unread: { readonly folder: string; readonly loads: readonly string[] }[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** Takes a file of the project, and tells what a path leads to in it. */
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

  /** Looks for what the files found so far run, and what that runs. */
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
