import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { Confinement } from "../exec/launcher.ts";
import { protectedPaths } from "./protected-paths.ts";
import type { SandboxOptions } from "./sandbox-launcher.ts";

/** What a confined command can reach. All paths are real ones: no link is followed later. */
export interface Reach {
  /** Folders that can be written. None lies within another. */
  readonly writable: readonly string[];
  /** Paths in or around them that cannot. */
  readonly readOnly: readonly string[];
  /** Files that cannot even be read. */
  readonly hidden: readonly string[];
  readonly network: boolean;
  readonly tty: boolean;
}

/** Puts a policy in terms of paths. */
export function reachOf({ policy, workspace, tty }: Confinement, options: SandboxOptions): Reach | "full" {
  if (policy.type === "dangerFullAccess" || policy.type === "externalSandbox") return "full";
  const network = policy.networkAccess === true;
  if (policy.type === "readOnly") return { writable: [], ...protectedPaths([], options), network, tty };
  const temporary = options.env.TMPDIR;
  const wanted = [
    ...workspace,
    ...(policy.writableRoots ?? []),
    ...(policy.excludeSlashTmp ? [] : ["/tmp"]),
    ...(policy.excludeTmpdirEnvVar || !temporary ? [] : [temporary]),
  ];
  const writable = outermost(wanted.flatMap(realPath));
  return { writable, ...protectedPaths(writable, options), network, tty };
}

/**
 * Folders without those that lie in another of them. The parent of each that is left cannot be written from within, so
 * nothing in a sandbox can put a link in its place.
 */
function outermost(folders: readonly string[]): string[] {
  const unique = [...new Set(folders)];
  return unique.filter((folder) => !unique.some((other) => other !== folder && isWithin(folder, other)));
}

/** Whether a path is a folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}

/** The path without links; nothing where there is none. */
export function realPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
