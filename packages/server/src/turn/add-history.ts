import type { ResponseItem } from "@quire/protocol";
import { itemLine } from "../record/copy-record.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";

/** Adds to what the model will see. */
export function addHistory(thread: Thread, turn: ActiveTurn, items: readonly ResponseItem[]): void {
  if (items.length === 0) return;
  const { meta, makers } = thread.record;
  thread.write(
    items.map((payload) => {
      const maker = makers.get(payload) ?? thread.config.provider.id;
      return itemLine(payload, turn.id, maker === meta.model_provider ? undefined : maker);
    }),
  );
  notifyRawItems(thread, turn, items);
}

/** Shows what the model will see to subscribers that want it as it is. */
export function notifyRawItems(thread: Thread, turn: ActiveTurn, items: readonly ResponseItem[]): void {
  if (!thread.rawEvents) return;
  for (const item of items) thread.notify("rawResponseItem/completed", { threadId: thread.id, turnId: turn.id, item });
}
