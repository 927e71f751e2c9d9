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
 * Bubblewrap's mounts over the read-only root, outer folders before the paths inside, which they would cover.
 * @param hasModes True when this bubblewrap can make a read-only folder.
 */
export function mountArguments({ writable, anchors, readOnly, hidden }: Reach, hasModes: boolean): string[] {
  const bind = (at: string): Mount => ({ at, args: ["--bind", at, at] });
  // The last mount of a path wins.
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

/** An in-memory folder for this command alone, ten times faster than a read-only mount. */
function emptyFolder(at: string, hasModes: boolean): string[] {
  return [...(hasModes ? ["--perms", "0555"] : []), "--tmpfs", at];
}

/** Shows a path read-only; an empty folder covers a placeholder. */
function closed(at: string, hasModes: boolean): Mount[] {
  const isMissing = lstatSync(at, { throwIfNoEntry: false }) === undefined;
  // If this user cannot make it, its commands cannot either.
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
