import type { ThreadState } from "../state/model.ts";
import type { UndoMark } from "../state/undo-marks.ts";

/** True for a mark of the thread as it is: nothing was said in it since. */
export const holds = ({ turns, activeTurn }: ThreadState, mark: UndoMark | null): mark is UndoMark =>
  mark !== null && activeTurn === null && turns.at(-1)?.id === mark.lastTurnId;

/** The thread without the turns that are undone. */
export function shownThread(thread: ThreadState, mark: UndoMark | null): ThreadState {
  if (!holds(thread, mark) || mark.turnId === null) return thread;
  const at = thread.turns.findIndex(({ id }) => id === mark.turnId);
  return at < 0 ? thread : { ...thread, turns: thread.turns.slice(0, at) };
}
