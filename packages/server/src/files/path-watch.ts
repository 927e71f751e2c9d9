import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Anything in a watched folder may have changed: the system did not name it. */
const unnamed = null;

/**
 * Watches a path with anything that is or will be there: a file, also when it is replaced; a folder and its direct
 * entries; nothing yet. Reports changed paths, some more than once. The caller closes it. The parent folder is watched
 * too, since replacements show there; for a missing path, the nearest existing one.
 */
export class PathWatch {
  readonly #path: string;
  readonly #report: (path: string) => void;
  /** On the parent folder, or the nearest that exists. */
  #above: FSWatcher | undefined;
  #aboveOf = "";
  #aboveIdentity = "";
  /** On the folder itself, if the path is one. */
  #inside: FSWatcher | undefined;
  #identity = "";
  #closed = false;

  constructor(path: string, report: (path: string) => void) {
    this.#path = path;
    this.#report = report;
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.#above?.close();
    this.#inside?.close();
  }

  /** Watches what exists now. Returns true when the path leads to something else than before. */
  #arm(): boolean {
    const before = this.#identity;
    // Twice, since what appears between looking and watching would be missed.
    for (let look = 0; look < 2; look++) {
      this.#armAbove();
      this.#armInside();
    }
    return this.#identity !== before;
  }

  #armAbove(): void {
    let folder = dirname(this.#path);
    while (identityOf(folder) === "" && dirname(folder) !== folder) folder = dirname(folder);
    const identity = identityOf(folder);
    if (folder === this.#aboveOf && identity === this.#aboveIdentity) return;
    this.#above?.close();
    this.#aboveOf = folder;
    this.#aboveIdentity = identity;
    const next = folder === dirname(this.#path) ? basename(this.#path) : undefined;
    this.#above = this.#watch(folder, (name) => this.#onAbove(name, next));
  }

  #armInside(): void {
    const identity = identityOf(this.#path);
    if (identity === this.#identity) return;
    this.#identity = identity;
    this.#inside?.close();
    this.#inside = isFolder(this.#path) ? this.#watch(this.#path, (name) => this.#onInside(name)) : undefined;
  }

  /** @param awaited The path's name in that folder; `undefined` when the folder is further up. */
  #onAbove(name: string | null, awaited: string | undefined): void {
    if (awaited !== undefined && name !== unnamed && name !== awaited && identityOf(this.#aboveOf) !== "") return;
    const isOther = this.#arm();
    const isFileChange = awaited !== undefined && name === awaited && this.#inside === undefined;
    if (isOther || isFileChange) this.#report(this.#path);
  }

  #onInside(name: string | null): void {
    // A folder that is gone reports itself, by its own name or by none.
    if (this.#arm()) this.#report(this.#path);
    else if (name !== unnamed) this.#report(join(this.#path, name));
    else this.#report(this.#path);
  }

  #watch(folder: string, onChange: (name: string | null) => void): FSWatcher | undefined {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (!this.#closed) onChange(name);
      });
      // A folder that vanishes may be reported as an error of its watch.
      watcher.on("error", () => {
        if (!this.#closed) onChange(unnamed);
      });
      return watcher;
    } catch {
      // Gone between looking and watching, or not to be watched: what is above still is.
      return undefined;
    }
  }
}

/** Identifies the file or folder at a path; empty for none. */
function identityOf(path: string): string {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return "";
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
