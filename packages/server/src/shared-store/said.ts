import type { ThreadItem, Turn } from "@quire/protocol";
import type { NewLine } from "../record/rollout-line.ts";
import { storable } from "./thread-rows.ts";

/** A text that a search finds. */
export interface SaidText {
  readonly turn: string;
  readonly body: string;
}

/** Longest text of a message that is kept for searching. */
const maxLength = 100_000;

/** Everything that was said in some lines, by people and by the model. */
export function saidIn(lines: readonly NewLine[]): SaidText[] {
  return lines.flatMap((line) => {
    if (line.type !== "thread_event" || line.payload.kind !== "item_completed") return [];
    const { turnId, item } = line.payload;
    return textsOf(item).map((body) => ({ turn: turnId, body: storable(body.slice(0, maxLength)) }));
  });
}

/** Everything that was said in some turns. */
export function saidInTurns(turns: readonly Turn[]): SaidText[] {
  return turns.flatMap(({ id, items }) =>
    items.flatMap((item) => textsOf(item).map((body) => ({ turn: id, body: storable(body.slice(0, maxLength)) }))),
  );
}

/** The first turns that some lines take back, with all that follow. */
export function revertedIn(lines: readonly NewLine[]): string[] {
  return lines.flatMap((line) =>
    line.type === "thread_event" && line.payload.kind === "reverted" ? [line.payload.beforeTurnId] : [],
  );
}

/** True if the thread is listed from here on. */
export const isSaidByUser = (lines: readonly NewLine[]): boolean =>
  lines.some(
    ({ type, payload }) =>
      type === "thread_event" && payload.kind === "item_completed" && payload.item.type === "userMessage",
  );

function textsOf(item: ThreadItem): string[] {
  if (item.type === "agentMessage") return [item.text];
  if (item.type !== "userMessage") return [];
  return item.content.flatMap((input) => (input.type === "text" ? [input.text] : []));
}
