import { notedFolders, noteFolders } from "../../exec/noted-folders.ts";
import { isWithin } from "../../is-within.ts";
import { resolvePath } from "../../sandbox/resolve-path.ts";
import { statIfThere } from "../../stat-if-there.ts";
import { pathWithoutLinks } from "../../workspace-files/real-path.ts";
import type { Limits } from "../grants.ts";

/**
 * Where a model may have put something: the folders of the work, those that a sandbox opens, and those for temporary files.
 * Also where the sandbox is closed now, for it may have been open before, and what is cloned is nobody's own.
 */
export class OpenPlaces {
  readonly #folders: readonly string[];

  constructor(limits: Limits, env: Readonly<Record<string, string | undefined>>) {
    noteFolders(limits);
    // Who works in the whole machine and may write nothing has not put all of it there.
    const work = limits.workspace.map(pathWithoutLinks).filter((folder) => folder !== "/");
    const temporary = ["/tmp", ...(env.TMPDIR ? [env.TMPDIR] : [])].map(pathWithoutLinks);
    this.#folders = [...new Set([...work, ...temporary, ...notedFolders()])];
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
    return ((statIfThere(path)?.mode ?? 0) & 0o002) !== 0;
  } catch {
    return true;
  }
}
