import { RpcError } from "@quire/client";
import type { HubStore } from "./hub-store.ts";
import { keyText } from "./model.ts";
import { setUndoMark, undoMark } from "./undo-marks.ts";

/** Takes the turns out of a thread that the user undid, now that the conversation goes on without them. */
export async function cutUndone(hub: HubStore, threadId: string): Promise<void> {
  const key = keyText({ hub: hub.id, thread: threadId });
  const mark = undoMark(key);
  if (mark === null) return;
  const turns = hub.open.get(threadId)?.snapshot().turns ?? [];
  const first = mark.turnId === null ? -1 : turns.findIndex(({ id }) => id === mark.turnId);
  if (mark.turnId !== null && first >= 0 && turns.at(-1)?.id === mark.lastTurnId) {
    await revert(hub, { threadId, beforeTurnId: mark.turnId, count: turns.length - first });
  }
  setUndoMark(key, null);
}

interface Cut {
  readonly threadId: string;
  readonly beforeTurnId: string;
  readonly count: number;
}

/** Older servers count turns from the end. */
async function revert(hub: HubStore, { threadId, beforeTurnId, count }: Cut): Promise<void> {
  try {
    await hub.port.request("thread/revert", { threadId, beforeTurnId });
  } catch (error) {
    if (!RpcError.is(error)) throw error;
    await hub.port.requestUntyped("thread/rollback", { threadId, numTurns: count }).catch(() => {
      throw error;
    });
  }
  await hub.open.get(threadId)?.reload();
}
