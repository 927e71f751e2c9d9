import { type DiffFile, parseDiff } from "../items/diff/parse-diff.ts";
import { changedFiles } from "../items/diff/turn-files.ts";
import { compareScript, restoreScript } from "../scripts/checkpoint-scripts.ts";
import { type RunScript, succeeded } from "../scripts/run-script.ts";
import { listCheckpoints } from "../state/checkpoints.ts";
import type { ThreadState } from "../state/model.ts";
import type { UndoMark } from "../state/undo-marks.ts";
import { changesOf, moveFiles, type ServerFiles } from "./files-by-turns.ts";

/** The machine on which a thread works. */
export interface UndoPlace {
  readonly run: RunScript;
  readonly files: ServerFiles;
  readonly cwd: string;
}

/** The files that go back with a turn, and how. */
export interface UndoPlan {
  /** The changes since the turn began. */
  readonly files: readonly DiffFile[];
  /** The files come from a checkpoint, so that what commands changed is among them. */
  readonly whole: boolean;
  /** Brings files back; resolves with the commit that holds them as they were, null where there is none. */
  readonly undo: (paths: readonly string[]) => Promise<string | null>;
}

/** Plans the way back to before a turn: by its checkpoint, else by the changes that the turns made. */
export async function planUndo(place: UndoPlace, thread: ThreadState, from: string): Promise<UndoPlan> {
  const threadId = thread.summary.key.thread;
  const commit = await checkpointOfTurn(place.run, threadId, from);
  if (commit === null) return planByTurns(place, thread, from);
  const compared = place.run(compareScript, { env: { THREAD: threadId, COMMIT: commit } });
  return {
    files: parseDiff((await succeeded(compared)).stdout),
    whole: true,
    undo: (paths) => restore(place, threadId, { commit, paths }),
  };
}

/** Without git or a shell, there is no checkpoint. */
async function checkpointOfTurn(run: RunScript, threadId: string, turnId: string): Promise<string | null> {
  const known = await listCheckpoints(run, threadId).catch(() => null);
  return known?.get(turnId) ?? null;
}

function planByTurns({ files, cwd }: UndoPlace, thread: ThreadState, from: string): UndoPlan {
  const range = { from, to: thread.turns.at(-1)?.id ?? from };
  const start = thread.turns.findIndex(({ id }) => id === from);
  return {
    files: changedFiles(thread.turns.slice(Math.max(0, start)), thread.items),
    whole: false,
    undo: async (paths) => {
      const changes = changesOf(thread, range);
      await moveFiles(files, { changes, side: "before", cwd, paths: new Set(paths) });
      return null;
    },
  };
}

/** Brings the files of a mark to where they were before it was made. */
export async function restoreFiles(place: UndoPlace, thread: ThreadState, mark: UndoMark): Promise<void> {
  if (mark.files === 0) return;
  const { commit, paths } = mark;
  if (commit !== null) return void (await restore(place, thread.summary.key.thread, { commit, paths }));
  const changes = changesOf(thread, { from: mark.from, to: mark.lastTurnId });
  await moveFiles(place.files, { changes, side: "after", cwd: place.cwd, paths: new Set(paths) });
}

interface Target {
  readonly commit: string;
  readonly paths: readonly string[];
}

async function restore({ run }: UndoPlace, threadId: string, { commit, paths }: Target): Promise<string> {
  const env = { THREAD: threadId, COMMIT: commit };
  return (await succeeded(run(restoreScript, { env, args: paths }))).stdout.trim();
}
