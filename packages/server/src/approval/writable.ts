import { basename, dirname, join, relative, sep } from "node:path";
import { isWithin } from "../lib/is-within.ts";
import { isOpen, type Reach, reachOf } from "../run/sandbox/reach.ts";
import type { SandboxOptions } from "../run/sandbox/sandbox-options.ts";
import { ownName, pathExists, writeDestination } from "../workspace-files/real-path.ts";
import { isSettingsName } from "../workspace-files/settings-names.ts";
import type { Limits } from "./grants.ts";

/** True when all files can be written within the limits, after resolving links. */
export function areWritable(paths: readonly string[], limits: Limits, options: SandboxOptions): boolean {
  const reach = reachOf({ ...limits, tty: false }, options);
  if (reach === "full") return true;
  const folders = new OpenFolders(reach);
  return paths.every((path) => folders.canWrite(path));
}

interface Looked {
  readonly real: string;
  /** True when new files with ordinary names can be written. */
  readonly isOpen: boolean;
}

/** The writable folders. Each is checked once: a patch mostly has many files in few folders. */
class OpenFolders {
  readonly #reach: Reach;
  /** Paths that differ from the folder around them. */
  readonly #special: ReadonlySet<string>;
  readonly #looked = new Map<string, Looked | undefined>();

  constructor(reach: Reach) {
    this.#reach = reach;
    this.#special = new Set([...reach.roots, ...reach.readOnly, ...reach.hidden.map(({ folder }) => folder)]);
  }

  canWrite(path: string): boolean {
    const own = ownName(path);
    if (own === "shared") return false;
    const folder = own === "link" ? undefined : this.#look(dirname(path));
    const target = folder ? join(folder.real, basename(path)) : writeDestination(path);
    if (target === undefined) return false;
    if (folder?.isOpen === true && !this.#special.has(target)) return !isSettingsName(basename(target));
    return isOpenFile(target, this.#reach);
  }

  #look(path: string): Looked | undefined {
    if (this.#looked.has(path)) return this.#looked.get(path);
    const real = writeDestination(path);
    // Any name in it will do: those that are special are looked at by themselves.
    const looked = real === undefined ? undefined : { real, isOpen: isOpenFile(join(real, "any"), this.#reach) };
    this.#looked.set(path, looked);
    return looked;
  }
}

/** @param target Without links. */
function isOpenFile(target: string, reach: Reach): boolean {
  // A root may lie within another; each may be a repository.
  const around = reach.roots.filter((folder) => isWithin(target, folder));
  return isOpen(target, reach) && !around.some((root) => isSetting(target, root));
}

/** True when a file, existing or not, controls what runs elsewhere. At any depth. */
function isSetting(target: string, root: string): boolean {
  if (relative(root, target).split(sep).some(isSettingsName)) return true;
  for (let folder = dirname(target); isWithin(folder, root); folder = dirname(folder)) {
    if (isGitFolder(folder)) return true;
    if (folder === dirname(folder)) return false;
  }
  return false;
}

/** True when git would take a folder for its own, under any name: a bare repository, or the target of a `.git` file. */
function isGitFolder(folder: string): boolean {
  const has = (name: string) => pathExists(join(folder, name));
  return (has("objects") && has("refs")) || (has("commondir") && has("HEAD"));
}
