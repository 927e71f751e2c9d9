import { isWithin } from "../../lib/is-within.ts";
import { statIfExists } from "../../lib/stat-if-exists.ts";
import { addWritableFolders, writableFolders } from "../../run/process/writable-folders.ts";
import { pathWithoutLinks } from "../../workspace-files/real-path.ts";
import { resolvePath } from "../../workspace-files/resolve-path.ts";
import type { Limits } from "../grants.ts";

/** Folders on PATH that were found closed, by the open folders, with the time. */
const closed = new Map<string, number>();
const maxClosed = 1024;

/** Lifetime of that knowledge. Only somebody with the server's own rights could open such a folder. */
const closedMs = 10_000;

/**
 * Folders where a model may have written: the work, those that a sandbox opens, and temporary ones. Also those closed
 * now, since they may have been open before, and clones bring foreign files.
 */
export class WritablePlaces {
  readonly #folders: readonly string[];
  readonly #key: string;

  constructor(limits: Limits, env: Readonly<Record<string, string | undefined>>) {
    addWritableFolders(limits);
    // A read-only thread in the root of the file system has not written all of it.
    const work = limits.workspace.map(pathWithoutLinks).filter((folder) => folder !== "/");
    const temporary = ["/tmp", ...(env.TMPDIR ? [env.TMPDIR] : [])].map(pathWithoutLinks);
    this.#folders = [...new Set([...work, ...temporary, ...writableFolders()])];
    this.#key = this.#folders.join("\0");
  }

  /** {@link has} for a folder in which programs are looked up repeatedly. */
  hasFolder(folder: string): boolean {
    const key = `${folder}\0${this.#key}`;
    const known = closed.get(key);
    if (known !== undefined && performance.now() - known < closedMs) return false;
    if (this.has(folder)) return true;
    if (closed.size >= maxClosed) closed.clear();
    closed.set(key, performance.now());
    return false;
  }

  /** True when a model controls a path: it, or a link on the way, lies in such a folder, or everybody can write it. */
  has(path: string): boolean {
    const resolved = resolvePath(path);
    const steps = resolved === undefined ? [pathWithoutLinks(path)] : [resolved.path, ...resolved.links];
    if (steps.some((step) => this.#folders.some((folder) => isWithin(step, folder)))) return true;
    return resolved !== undefined && isEverybodys(resolved.path);
  }
}

function isEverybodys(path: string): boolean {
  try {
    return ((statIfExists(path)?.mode ?? 0) & 0o002) !== 0;
  } catch {
    return true;
  }
}
