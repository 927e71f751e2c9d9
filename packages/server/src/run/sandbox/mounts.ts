import { accessSync, constants, lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isPlaceholder } from "../../workspace-files/placeholder.ts";
import type { Reach } from "./reach.ts";
import { standIn } from "./start-up-paths.ts";

interface Mount {
  readonly at: string;
  readonly args: readonly string[];
}

/**
 * What bubblewrap mounts over the read-only root. Outer folders come before what lies in them, and would cover it.
 *
 * @param hasModes Whether this bubblewrap can make a folder that nobody writes to.
 */
export function mountArguments({ writable, anchors, readOnly, hidden }: Reach, hasModes: boolean): string[] {
  const bind = (at: string): Mount => ({ at, args: ["--bind", at, at] });
  // Of one path, the last counts.
  const mounts: Mount[] = [
    ...writable.map(bind),
    // A place where something is mounted cannot be renamed.
    ...anchors.map(bind),
    ...readOnly.flatMap((at) => closed(at, hasModes)),
    ...hidden.map(({ folder }) => ({ at: folder, args: emptyFolder(folder, hasModes) })),
    ...hidden.flatMap(({ shown }) => shown.map(({ at, source }) => ({ at, args: ["--ro-bind", source, at] }))),
  ];
  return [
    ...mounts.sort((a, b) => a.at.length - b.at.length).flatMap(({ args }) => args),
    // Now that places were made in it for what is mounted there.
    ...(hasModes ? [] : hidden.flatMap(({ folder }) => ["--remount-ro", folder])),
  ];
}

/**
 * A folder in memory for this command alone. It takes a tenth of the time of showing one read-only, for which bubblewrap
 * reads the list of all mounts. (The command can give it another mode, and then writes to what nobody else ever sees.)
 */
function emptyFolder(at: string, hasModes: boolean): string[] {
  return [...(hasModes ? ["--perms", "0555"] : []), "--tmpfs", at];
}

/** What is there is shown read-only. Over a placeholder comes an empty folder. */
function closed(at: string, hasModes: boolean): Mount[] {
  const isMissing = lstatSync(at, { throwIfNoEntry: false }) === undefined;
  // Who cannot make it has commands that cannot either.
  if (isMissing && !isWritable(dirname(at))) return [];
  const isKept = (isMissing || isPlaceholder(at)) && standIn(basename(at)) === undefined;
  return [{ at, args: isKept && hasModes ? emptyFolder(at, true) : ["--ro-bind-try", at, at] }];
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
