import type { TurnState } from "@quire/client/view";
import type { ThreadState } from "../../state/model.ts";
import { fileOfChange } from "./change-files.ts";
import { type DiffFile, parseDiff } from "./parse-diff.ts";

type Items = ThreadState["items"];

/**
 * The files that a turn changed: by the server's own diff of it, else, as servers do not store that, by the changes that
 * were made in it one after the other.
 */
export function turnFiles(turn: TurnState, items: Items): readonly DiffFile[] {
  return turn.diff === null || turn.diff === "" ? changedFiles([turn], items) : parseDiff(turn.diff);
}

/** Every change that was made in these turns, the changes of one file together, in the order of paths. */
export function changedFiles(turns: readonly TurnState[], items: Items): readonly DiffFile[] {
  const files = new Map<string, DiffFile>();
  for (const turn of turns) {
    for (const id of turn.itemIds) {
      const item = items.get(id)?.item;
      if (item?.type !== "fileChange" || item.status !== "completed") continue;
      // Another version of the server may send it in another form.
      for (const change of item.changes ?? []) add(files, fileOfChange(change));
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
