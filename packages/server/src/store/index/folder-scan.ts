import { statSync } from "node:fs";
import { join } from "node:path";
import { archiveFolder, dayFolders, parseRolloutName } from "../rollout-files.ts";

/** A folder of rollouts and the time of its last change. */
export interface Folder {
  readonly path: string;
  readonly mtime: number;
}

/** A change within the clock's tick would not show: such a folder is read again. */
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

/** The rollouts among file names, only the newest for each thread. There may be a hundred thousand. */
export function* newestRollouts(names: Iterable<string>): Generator<undefined, Map<string, string>> {
  const newest = new Map<string, string>();
  for (const name of names) {
    const parsed = parseRolloutName(name);
    if (parsed && isNewer(name, newest.get(parsed.threadId))) newest.set(parsed.threadId, name);
    yield;
  }
  return newest;
}

/** True when a file of a thread continues another of its files. */
export function isNewer(name: string, than: string | undefined): boolean {
  if (than === undefined) return true;
  return (parseRolloutName(name)?.revision ?? "") > (parseRolloutName(than)?.revision ?? "");
}
