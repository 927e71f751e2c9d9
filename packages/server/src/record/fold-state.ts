import type { ThreadRecord } from "./thread-record.ts";

/** True when an item has begun and not ended. */
export function isOpen(record: ThreadRecord, turnId: string, itemId: string): boolean {
  const { open, straggling } = record.fold;
  return record.turns.at(-1)?.id === turnId ? open.has(itemId) : straggling.has(`${turnId}\n${itemId}`);
}

/** Indices of the newest turn's items. */
export function itemsOfLast(record: ThreadRecord): Map<string, number> {
  return new Map(record.turns.at(-1)?.items.map((item, index) => [item.id, index]));
}
