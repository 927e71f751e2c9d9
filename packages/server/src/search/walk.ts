import type { Dirent } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, normalize } from "node:path";
import { TimeSlice } from "../lib/time-slice.ts";
import { type FolderIgnores, IgnoreChain } from "./ignore-chain.ts";
import { Lister } from "./lister.ts";
import type { PathIndex } from "./path-index.ts";

/** Folders read at once: enough to keep the disk busy. */
const parallel = 16;

/** Entries of a folder added at a stretch. */
const pieceEntries = 512;

/** Up to this many entries `onMore` runs after each folder, then at each pause. */
const eagerEntries = 2048;

/** Entries of one search; further ones are not found. */
const maxEntries = 2_000_000;

interface Folder {
  /** Absolute, with a slash. */
  readonly path: string;
  readonly ignores: IgnoreChain;
}

interface OpenFolder extends Folder {
  readonly rules: FolderIgnores | undefined;
}

/** The source and target of collected paths. */
export interface WalkOptions {
  readonly index: PathIndex;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Called when the index may have grown. Returns true to yield at once. */
  readonly onMore?: (() => boolean) | undefined;
  /** Pauses at this many paths until the promise resolves. */
  readonly rest?: { readonly after: number; readonly until: Promise<void> } | undefined;
}

/** Adds all paths below a root to the index, except ignored ones and git's own. A missing root has none. */
export async function walk(given: string, options: WalkOptions): Promise<void> {
  if (isAbsolute(given)) await new Walk(given, options).run();
}

/** Reads one root depth first, so that the first files are there after a few folders. */
class Walk {
  readonly #given: string;
  readonly #options: WalkOptions;
  readonly #index: PathIndex;
  /** Absolute, with a slash. */
  readonly #root: string;
  readonly #pending: Folder[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #lister = new Lister();
  readonly #breath = new TimeSlice();

  constructor(given: string, options: WalkOptions) {
    this.#given = given;
    this.#options = options;
    this.#index = options.index;
    const root = normalize(given).replace(/(?<=.)\/$/, "");
    this.#root = root === "/" ? root : `${root}/`;
    this.#pending.push({ path: this.#root, ignores: IgnoreChain.at(root, options.env) });
  }

  async run(): Promise<void> {
    const { signal, onMore } = this.#options;
    let { rest } = this.#options;
    while (!signal.aborted && (this.#pending.length > 0 || this.#running.size > 0)) {
      const folder = this.#running.size < parallel ? this.#pending.pop() : undefined;
      if (folder === undefined) await Promise.race(this.#running);
      else this.#read(folder);
      const isWanted = (this.#index.size <= eagerEntries || this.#breath.due) && onMore?.();
      if (rest && this.#index.size >= rest.after) {
        await rest.until;
        rest = undefined;
        await this.#breath.take();
      } else if (isWanted || this.#breath.due) await this.#breath.take();
    }
    await Promise.all(this.#running);
  }

  #read(folder: Folder): void {
    const found = this.#lister.list(folder.path);
    const work =
      found instanceof Promise ? found.then((entries) => this.#take(folder, entries)) : this.#take(folder, found);
    if (work === undefined) return;
    const running: Promise<void> = work.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Adds the entries of a folder. Returns a promise when it does not finish at once. */
  #take({ path, ignores }: Folder, found: readonly Dirent[]): Promise<void> | undefined {
    if (found.length === 0) return undefined;
    const inner = ignores.inside(path, ignoreFiles(found));
    const folder = { path, ignores: inner, rules: inner.within(path) };
    const piece = folder.rules?.heavy ? 1 : pieceEntries;
    return found.length > piece ? this.#takePieces(folder, found, piece) : this.#takePiece(folder, found);
  }

  async #takePieces(folder: OpenFolder, found: readonly Dirent[], piece: number): Promise<void> {
    for (let at = 0; at < found.length && !this.#options.signal.aborted; at += piece) {
      await this.#takePiece(folder, found.slice(at, at + piece));
      if (this.#breath.due) await this.#breath.take();
    }
  }

  #takePiece(folder: OpenFolder, found: readonly Dirent[]): Promise<void> | undefined {
    const links: string[] = [];
    this.#enter(folder);
    for (let at = 0; at < found.length; at++) {
      const entry = found[at] as Dirent;
      if (entry.isFile()) this.#add(folder, entry.name, false);
      else if (entry.isDirectory()) this.#addFolder(folder, entry.name);
      else if (entry.isSymbolicLink()) links.push(entry.name);
      else this.#add(folder, entry.name, false);
    }
    return links.length === 0 ? undefined : this.#follow(folder, links);
  }

  async #follow(folder: OpenFolder, names: readonly string[]): Promise<void> {
    const [root, real] = await Promise.all([realOf(this.#root), realOf(folder.path)]);
    const links = await Promise.all(names.map((name) => followed(folder.path + name)));
    this.#enter(folder);
    for (const [at, link] of links.entries()) {
      const name = names[at] as string;
      // A link to a parent would be read again and again. It is left out: its target is found anyway.
      const isAbove = link?.isFolder && real.startsWith(link.real);
      if (link === undefined || (isAbove && link.real.startsWith(root))) continue;
      if (link.isFolder && !isAbove) this.#addFolder(folder, name);
      else this.#add(folder, name, link.isFolder);
    }
  }

  #enter({ path }: OpenFolder): void {
    this.#index.enter(this.#given, path.slice(this.#root.length));
  }

  #addFolder(folder: OpenFolder, name: string): void {
    if (!this.#add(folder, name, true)) return;
    this.#pending.push({ path: `${folder.path}${name}/`, ignores: folder.ignores });
  }

  /** Returns true when the entry is not ignored. */
  #add({ rules }: OpenFolder, name: string, isFolder: boolean): boolean {
    if (name === ".git" || this.#index.size >= maxEntries) return false;
    if (rules?.ignores(name, isFolder)) return false;
    this.#index.add(name, isFolder);
    return true;
  }
}

function ignoreFiles(found: readonly Dirent[]): string[] {
  return found.filter(({ name }) => name === ".gitignore" || name === ".ignore").map(({ name }) => name);
}

interface Followed {
  readonly isFolder: boolean;
  /** Its real path, with a slash. */
  readonly real: string;
}

/** The target of a link; `undefined` when it leads nowhere. */
async function followed(path: string): Promise<Followed | undefined> {
  try {
    const [target, real] = await Promise.all([stat(path), realOf(path)]);
    return { isFolder: target.isDirectory(), real };
  } catch {
    return undefined;
  }
}

async function realOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => path);
  return real.endsWith("/") ? real : `${real}/`;
}
