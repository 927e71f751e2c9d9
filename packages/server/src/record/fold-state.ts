import type { HistoryEntry, ThreadRecord } from "./thread-record.ts";
import type { ToolCall } from "./tool-call.ts";

/** Folding state beyond the record, so that each line costs the same in a thread of any length. */
export interface FoldState {
  readonly turnIndex: Map<string, number>;
  /** Indices of the newest turn's items by id. */
  items: Map<string, number>;
  /** Ids of the newest turn's unfinished items. */
  open: Set<string>;
  startedAtMs: number;
  /** Unfinished items of older turns, such as a command that outlives its turn, by turn and item. */
  readonly straggling: Map<string, number>;
  /** The model's unanswered calls, with their turns. */
  readonly calls: Map<string, { readonly kind: ToolCall["kind"]; readonly turnId: string }>;
  /** The entries that each compaction replaced: reverting restores them. */
  readonly compactions: { readonly turn: number; readonly before: readonly HistoryEntry[] }[];
}

const states = new WeakMap<ThreadRecord, FoldState>();

/** The state of a record, derived on first use. */
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

/** True when an item has begun and not ended. */
export function isOpen(record: ThreadRecord, turnId: string, itemId: string): boolean {
  const { open, straggling } = stateOf(record);
  return record.turns.at(-1)?.id === turnId ? open.has(itemId) : straggling.has(`${turnId}\n${itemId}`);
}

/** Indices of the newest turn's items. */
export function itemsOfLast(record: ThreadRecord): Map<string, number> {
  return new Map(record.turns.at(-1)?.items.map((item, index) => [item.id, index]));
}
