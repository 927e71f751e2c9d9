import type { DiffFile } from "../items/diff/parse-diff.ts";
import { changedFiles, turnFiles } from "../items/diff/turn-files.ts";
import type { ThreadState } from "../state/model.ts";

/** The files that the newest turn with changes changed. */
export function lastTurnFiles({ turns, items }: ThreadState): readonly DiffFile[] {
  for (const turn of turns.toReversed()) {
    const files = turnFiles(turn, items);
    if (files.length > 0) return files;
  }
  return [];
}

/** Every change that was made in the turns that are loaded, the changes of one file together, in the order of paths. */
export const threadFiles = ({ turns, items }: ThreadState): readonly DiffFile[] => changedFiles(turns, items);
