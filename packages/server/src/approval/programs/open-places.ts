import { isWithin } from "../../is-within.ts";
import { resolvePath } from "../../sandbox/resolve-path.ts";
import { statIfThere } from "../../stat-if-there.ts";
import { pathWithoutLinks } from "../../workspace-files/real-path.ts";
import type { Limits } from "../grants.ts";

/** Folders that commands of any thread could write so far, and where they lead: PATH is the same for all threads. */
const noted = new Map<string, string>();

/** More folders than a server works in at a time; beyond, the oldest is forgotten. */
const maxNoted = 1024;

/** Notes where a command may write, for all that run later. */
export function noteOpen({ policy, workspace }: Limits): void {
  if (policy.type !== "workspaceWrite") return;
  for (const folder of [...workspace, ...(policy.writableRoots ?? [])]) {
    if (noted.has(folder)) continue;
    const [oldest] = noted.size < maxNoted ? [] : noted.keys();
    if (oldest !== undefined) noted.delete(oldest);
    noted.set(folder, pathWithoutLinks(folder));
  }
}

/**
 * Where a model may have put something: the folders of the work, those that a sandbox opens, and those for temporary files.
 * Also where the sandbox is closed now, for it may have been open before, and what is cloned is nobody's own.
 */
export class OpenPlaces {
  readonly #folders: readonly string[];

  constructor(limits: Limits, env: Readonly<Record<string, string | undefined>>) {
    noteOpen(limits);
    // Who works in the whole machine and may write nothing has not put all of it there.
    const work = limits.workspace.map(pathWithoutLinks).filter((folder) => folder !== "/");
    const temporary = ["/tmp", ...(env.TMPDIR ? [env.TMPDIR] : [])].map(pathWithoutLinks);
    this.#folders = [...new Set([...work, ...temporary, ...noted.values()])];
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
