import { isWithin } from "../../lib/is-within.ts";
import { statIfExists } from "../../lib/stat-if-exists.ts";
import { addWritableFolders, writableFolders } from "../../run/process/writable-folders.ts";
import { pathWithoutLinks } from "../../workspace-files/real-path.ts";
import { resolvePath } from "../../workspace-files/resolve-path.ts";
import type { Limits } from "../grants.ts";

/** Folders on PATH that were found closed, by the folders that were open, and when. */
const closed = new Map<string, number>();
const maxClosed = 1024;

/** For so long a folder stays closed. No model can open it; only who has the rights of the server can. */
const closedMs = 10_000;

/**
 * Where a model may have put something: the folders of the work, those that a sandbox opens, and those for temporary files.
 * Also where the sandbox is closed now, for it may have been open before, and what is cloned is nobody's own.
 */
export class WritablePlaces {
  readonly #folders: readonly string[];
  readonly #key: string;

  constructor(limits: Limits, env: Readonly<Record<string, string | undefined>>) {
    addWritableFolders(limits);
    // Who works in the whole machine and may write nothing has not put all of it there.
    const work = limits.workspace.map(pathWithoutLinks).filter((folder) => folder !== "/");
    const temporary = ["/tmp", ...(env.TMPDIR ? [env.TMPDIR] : [])].map(pathWithoutLinks);
    this.#folders = [...new Set([...work, ...temporary, ...writableFolders()])];
    this.#key = this.#folders.join("\0");
  }

  /** The same for a folder in which programs are looked for again and again. */
  hasFolder(folder: string): boolean {
    const key = `${folder}\0${this.#key}`;
    const known = closed.get(key);
    if (known !== undefined && performance.now() - known < closedMs) return false;
    if (this.has(folder)) return true;
    if (closed.size >= maxClosed) closed.clear();
    closed.set(key, performance.now());
    return false;
  }

  /** Whether a model decides over what is at a path: it lies in such a folder, a link on the way does, or all may write it. */
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
