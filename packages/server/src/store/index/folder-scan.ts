import { statSync } from "node:fs";
import { join } from "node:path";
import { archiveFolder, dayFolders, parseRolloutName } from "../rollout-files.ts";

/** A folder of rollouts and the time of its last change. */
export interface Folder {
  readonly path: string;
  readonly mtime: number;
}

/** A change within the tick of the clock that stamped the folder would not show: so near, a folder is looked at again. */
const tickMs = 20;

/** All folders that may hold rollouts. */
export function rolloutFolders(home: string): Folder[] {
  return [join(home, archiveFolder), ...dayFolders(home)].flatMap((path) => {
    try {
      const stat = statSync(path);
      if (!stat.isDirectory()) return [];
      const settled = Date.now() - stat.mtimeMs > tickMs;
      return [{ path, mtime: settled ? stat.mtimeMs : 0 }];
    } catch {
      return [];
    }
  });
}

/** Of these file names those of rollouts, for each thread the newest only. */
export function newestRollouts(names: readonly string[]): Map<string, string> {
  const newest = new Map<string, string>();
  for (const name of names) {
    const parsed = parseRolloutName(name);
    if (parsed && isNewer(name, newest.get(parsed.threadId))) newest.set(parsed.threadId, name);
  }
  return newest;
}

/** Whether a file of a thread goes on from another of its files. */
export function isNewer(name: string, than: string | undefined): boolean {
  if (than === undefined) return true;
  return (parseRolloutName(name)?.revision ?? "") > (parseRolloutName(than)?.revision ?? "");
}
