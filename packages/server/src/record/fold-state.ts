import type { HistoryEntry, ThreadRecord } from "./thread-record.ts";
import type { ToolCall } from "./tool-call.ts";

/** What folding needs to know beyond the record, so that each line costs the same however long the thread is. */
export interface FoldState {
  readonly turnIndex: Map<string, number>;
  /** Items of the newest turn, by id. */
  items: Map<string, number>;
  /** Ids of the newest turn's items that were started and not completed. */
  open: Set<string>;
  /** When the newest turn began. */
  startedAtMs: number;
  /** Items of older turns that have not ended, such as a command that outlives its turn; the key is turn and item. */
  readonly straggling: Map<string, number>;
  /** Calls of the model that have got no output yet, and the turn of each. */
  readonly calls: Map<string, { readonly kind: ToolCall["kind"]; readonly turnId: string }>;
  /** What each compaction replaced: reverting to before it brings that back. */
  readonly compactions: { readonly turn: number; readonly before: readonly HistoryEntry[] }[];
}

const states = new WeakMap<ThreadRecord, FoldState>();

/** The state that goes with a record; made from it when there is none yet. */
export function stateOf(record: ThreadRecord): FoldState {
  let state = states.get(record);
  if (!state) {
    state = {
      turnIndex: new Map(record.turns.map((turn, index) => [turn.id, index])),
      items: itemsOfLast(record),
      open: new Set(),
      startedAtMs: (record.turns.at(-1)?.startedAt ?? 0) * 1000,
      straggling: new Map(),
      calls: new Map(),
      compactions: [],
    };
    states.set(record, state);
  }
  return state;
}

/** Whether an item has begun and not ended. */
export function isOpen(record: ThreadRecord, turnId: string, itemId: string): boolean {
  const { open, straggling } = stateOf(record);
  return record.turns.at(-1)?.id === turnId ? open.has(itemId) : straggling.has(`${turnId}\n${itemId}`);
}

/** Where each item of the newest turn stands. */
export function itemsOfLast(record: ThreadRecord): Map<string, number> {
  return new Map(record.turns.at(-1)?.items.map((item, index) => [item.id, index]));
}
