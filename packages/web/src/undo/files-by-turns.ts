import { fileOfChange } from "../items/diff/change-files.ts";
import type { DiffFile } from "../items/diff/parse-diff.ts";
import type { ThreadState } from "../state/model.ts";
import { undoneWords } from "../words/words.ts";
import { type Content, type Side, withSide } from "./take-back.ts";

/** Files of a server's machine, by absolute paths. */
export interface ServerFiles {
  /** Null where there is no such file; rejects where it is no text. */
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Rejects for a path that leaves a folder, also by a link on its way: a command of the agent may have made one. */
  requireBelow(folder: string, path: string): Promise<void>;
}

/** The turns from one up to another, both included. */
export interface TurnRange {
  readonly from: string;
  readonly to: string;
}

/** Every change of files in a range of turns, in the order in which they were made. */
export function changesOf({ turns, items }: ThreadState, { from, to }: TurnRange): readonly DiffFile[] {
  const start = turns.findIndex(({ id }) => id === from);
  const end = turns.findIndex(({ id }) => id === to);
  return turns.slice(Math.max(0, start), end + 1).flatMap((turn) =>
    turn.itemIds.flatMap((id) => {
      const item = items.get(id)?.item;
      return item?.type === "fileChange" && item.status === "completed" ? item.changes.map(fileOfChange) : [];
    }),
  );
}

interface Changes {
  readonly changes: readonly DiffFile[];
  readonly side: Side;
  readonly cwd: string;
  /** The paths that are meant, as the changes name them. */
  readonly paths: ReadonlySet<string>;
}

/**
 * Takes changes back or makes them again, where no checkpoint holds the files. All are tried in memory first: nothing is
 * written where one of them does not fit any more.
 */
export async function moveFiles(files: ServerFiles, { changes, side, cwd, paths }: Changes): Promise<void> {
  const contents = new Map<string, Content>();
  const absolute = (path: string): string => (/^(?:\/|[A-Za-z]:[\\/])/.test(path) ? path : `${cwd}/${path}`);
  const wanted = changes.filter(({ path }) => paths.has(path));
  for (const change of side === "before" ? wanted.toReversed() : wanted) {
    const now = absolute(side === "before" || change.from === null ? change.path : change.from);
    const then = absolute(side === "after" || change.from === null ? change.path : change.from);
    for (const path of new Set([now, then])) await files.requireBelow(cwd, path);
    const content = contents.has(now) ? (contents.get(now) ?? null) : await files.read(now);
    const next = withSide(content, change, side);
    if (next === undefined) throw new Error(undoneWords.changedSinceNothingUndone(change.path));
    if (then !== now) contents.set(now, null);
    contents.set(then, next);
  }
  for (const [path, content] of contents) {
    if (content === null) await files.remove(path);
    else await files.write(path, content);
  }
}
