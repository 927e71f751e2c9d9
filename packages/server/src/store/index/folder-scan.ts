import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { archiveFolder, dayFolders, parseRolloutName, readNames } from "../rollout-files.ts";

/** A folder of rollouts and the time of its last change. */
export interface Folder {
  readonly path: string;
  readonly mtime: number;
}

/** A change within the tick of the clock that stamped the folder would not show: so near, a folder is looked at again. */
const tickMs = 50;

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

/** The rollouts in a folder: of each thread the newest file. */
export function rolloutsIn(folder: string): Map<string, string> {
  const newest = new Map<string, string>();
  for (const name of readNames(folder)) {
    const parsed = parseRolloutName(name);
    if (!parsed) continue;
    const known = newest.get(parsed.threadId);
    const knownRevision = known === undefined ? undefined : (parseRolloutName(basename(known))?.revision ?? "");
    if (knownRevision === undefined || parsed.revision > knownRevision) newest.set(parsed.threadId, join(folder, name));
  }
  return newest;
}
