import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isWithin } from "../is-within.ts";
import { type Reach, reachOf } from "../sandbox/reach.ts";
import type { SandboxOptions } from "../sandbox/sandbox-launcher.ts";
import type { Limits } from "./grants.ts";

/** Folders at the top of a writable one whose content decides over what is run elsewhere. Also while they do not exist. */
const settingsFolders = new Set([".git", ".codex", ".agents", ".quire"]);

/** Whether all these files can be written within the limits. Links are followed to where they lead. */
export function areWritable(paths: readonly string[], limits: Limits, options: SandboxOptions): boolean {
  const reach = reachOf({ ...limits, tty: false }, options);
  return reach === "full" || paths.every((path) => isWritable(path, reach));
}

function isWritable(path: string, { roots, readOnly, hidden }: Reach): boolean {
  const target = destination(path);
  if (target === undefined) return false;
  // A root may lie within another; each may be a repository.
  const around = roots.filter((folder) => isWithin(target, folder));
  if (around.length === 0) return false;
  const isSetting = around.some((root) => settingsFolders.has(relative(root, target).split(sep)[0] ?? ""));
  return !isSetting && ![...readOnly, ...hidden].some((closed) => isWithin(target, closed));
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
