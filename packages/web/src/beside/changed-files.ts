import { fileOfChange } from "../items/diff/change-files.ts";
import { type DiffFile, parseDiff } from "../items/diff/parse-diff.ts";
import type { ThreadState } from "../state/model.ts";

/** The files that the newest turn with changes changed, as its own diff has them. */
export function lastTurnFiles({ turns }: ThreadState): readonly DiffFile[] {
  const diff = turns.findLast((turn) => turn.diff !== null && turn.diff !== "")?.diff;
  return diff === undefined || diff === null ? [] : parseDiff(diff);
}

/** Every change that was made in the turns that are loaded, the changes of one file together, in the order of paths. */
export function threadFiles({ turns, items }: ThreadState): readonly DiffFile[] {
  const files = new Map<string, DiffFile>();
  for (const turn of turns) {
    for (const id of turn.itemIds) {
      const item = items.get(id)?.item;
      if (item?.type !== "fileChange" || item.status !== "completed") continue;
      for (const change of item.changes) add(files, fileOfChange(change));
    }
  }
  return [...files.values()].sort((a, b) => a.path.localeCompare(b.path));
}

function add(files: Map<string, DiffFile>, file: DiffFile): void {
  const before = files.get(file.path);
  files.set(
    file.path,
    before === undefined
      ? file
      : {
          ...file,
          kind: before.kind === "added" && file.kind === "changed" ? "added" : file.kind,
          from: before.from ?? file.from,
          hunks: [...before.hunks, ...file.hunks],
          added: before.added + file.added,
          removed: before.removed + file.removed,
        },
  );
}
