import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isWithin } from "../is-within.ts";
import { isOpen, type Reach, reachOf } from "../sandbox/reach.ts";
import type { SandboxOptions } from "../sandbox/sandbox-launcher.ts";
import { isThere } from "../workspace-files/real-path.ts";
import { isSettingsName } from "../workspace-files/settings-names.ts";
import type { Limits } from "./grants.ts";

/** Whether all these files can be written within the limits. Links are followed to where they lead. */
export function areWritable(paths: readonly string[], limits: Limits, options: SandboxOptions): boolean {
  const reach = reachOf({ ...limits, tty: false }, options);
  return reach === "full" || paths.every((path) => isWritable(path, reach));
}

function isWritable(path: string, reach: Reach): boolean {
  const target = destination(path);
  if (target === undefined) return false;
  // A root may lie within another; each may be a repository.
  const around = reach.roots.filter((folder) => isWithin(target, folder));
  return isOpen(target, reach) && !around.some((root) => isSetting(target, root));
}

/** Whether a file in a folder decides over what is run elsewhere, or would once it is there. At any depth. */
function isSetting(target: string, root: string): boolean {
  if (relative(root, target).split(sep).some(isSettingsName)) return true;
  for (let folder = dirname(target); isWithin(folder, root); folder = dirname(folder)) {
    if (isGitFolder(folder)) return true;
    if (folder === dirname(folder)) return false;
  }
  return false;
}

/** Whether git would take a folder for its own, whatever its name: a bare repository, or what a `.git` file leads to. */
function isGitFolder(folder: string): boolean {
  const has = (name: string) => isThere(join(folder, name));
  return (has("objects") && has("refs")) || (has("commondir") && has("HEAD"));
}

/** Where writing to a path leads; `undefined` where that cannot be told, or other names lead there too. */
function destination(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // A file of several names may have one that lies outside.
    if (stat?.isFile()) return stat.nlink > 1 ? undefined : realpathSync(path);
    if (stat !== undefined) return realpathSync(path);
    if (dirname(path) === path) return undefined;
    const parent = destination(dirname(path));
    return parent === undefined ? undefined : join(parent, basename(path));
  } catch {
    // A link to nowhere, a loop, a folder that cannot be entered.
    return undefined;
  }
}
