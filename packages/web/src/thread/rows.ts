import type { HookRun, ItemState, Notice, TurnState } from "@quire/client/view";
import { SegmentIndex } from "../items/markdown/segments.ts";
import type { PendingRequest, ThreadState } from "../state/model.ts";
import { estimateItem } from "./estimate.ts";
import { groupWork } from "./group-work.ts";
import { hiddenItems } from "./hidden-items.ts";
import { hooksByItem } from "./hook-positions.ts";
import type { Row } from "./row.ts";

/** The row of an item or of a part of one. */
type PartRow = Extract<Row, { readonly kind: "item" }>;

/** Requests by the id of the turn they belong to. */
type Requests = ReadonlyMap<string, readonly PendingRequest[]>;

/**
 * Turns a thread into rows. What is over is remembered by turn, so that a delta costs the turn in progress and not the
 * thread. Long messages become several rows.
 */
export class RowBuilder {
  readonly #ended = new WeakMap<TurnState, readonly Row[]>();
  readonly #segments = new Map<string, SegmentIndex>();
  readonly #parts = new Map<string, PartRow>();

  build({ turns, items, pending, notices, olderCursor }: ThreadState): readonly Row[] {
    const rows: Row[] = olderCursor === null ? [] : [{ kind: "older", key: "older", estimate: 48 }];
    const requests = byTurn(pending, turns);
    for (const turn of turns) {
      for (const row of this.#rowsOf({ turn, items, requests: requests.get(turn.id) ?? [] })) rows.push(row);
    }
    for (const notice of notices) rows.push(noticeRow(notice, ""));
    for (const request of requests.get("") ?? []) rows.push(requestRow(request));
    return rows;
  }

  #rowsOf(shown: TurnRows): readonly Row[] {
    const stable = shown.turn.status !== "inProgress" && shown.requests.length === 0;
    if (!stable) return this.#buildTurn(shown);
    const rows = this.#ended.get(shown.turn) ?? groupWork(this.#buildTurn(shown), shown.items);
    this.#ended.set(shown.turn, rows);
    return rows;
  }

  #buildTurn({ turn, items, requests }: TurnRows): readonly Row[] {
    const rows: Row[] = [];
    const left = new Set(requests);
    const hooks = hooksByItem(turn);
    const hook = (afterItem: string | null): void => {
      const runs = hooks.get(afterItem);
      if (runs !== undefined) rows.push(hooksRow(runs, `${turn.id} ${afterItem}`));
    };
    const notice = (afterItem: string | null): void => {
      for (const each of turn.notices) {
        if (each.afterItem === afterItem) rows.push(noticeRow(each, turn.id));
      }
    };
    notice(null);
    hook(null);
    const hidden = hiddenItems(turn, items);
    for (const itemId of turn.itemIds) {
      if (hidden.has(itemId)) continue;
      const state = items.get(itemId);
      if (state === undefined) continue;
      for (const row of this.#itemRows(turn.id, itemId, state)) rows.push(row);
      if (turn.notices.length > 0) notice(itemId);
      for (const request of left) {
        if (placeOf(request, turn) !== itemId) continue;
        rows.push(requestRow(request));
        left.delete(request);
      }
      if (hooks.size > 0) hook(itemId);
    }
    for (const request of left) rows.push(requestRow(request));
    if (turn.plan !== null && turn.plan.steps.length > 0) {
      rows.push({ kind: "plan", key: `plan ${turn.id}`, estimate: 36 + turn.plan.steps.length * 24, turn });
    }
    rows.push({ kind: "end", key: `end ${turn.id}`, estimate: 44, turn });
    return rows;
  }

  #itemRows(turnId: string, itemId: string, state: ItemState): readonly Row[] {
    // Ids of items are only unique within their turn in some versions.
    const key = `${turnId} ${itemId}`;
    const { item } = state;
    const whole: Row = { kind: "item", key, itemId, estimate: estimateItem(state) };
    if (item.type !== "agentMessage" || item.text.length < 8000) return [whole];
    const index = this.#segments.get(key) ?? new SegmentIndex();
    this.#segments.set(key, index);
    const starts = index.update(item.text);
    if (starts.length === 1) return [whole];
    return starts.map((start, at) => {
      const end = starts[at + 1] ?? null;
      const partKey = at === 0 ? key : `${key} ${start}`;
      const before = this.#parts.get(partKey);
      // All but the last part of a message that grows are as they were.
      if (before !== undefined && end !== null && before.part?.end === end) return before;
      const part = { start, end };
      const row: PartRow = { kind: "item", key: partKey, itemId, part, estimate: estimateItem(state, part) };
      this.#parts.set(partKey, row);
      return row;
    });
  }
}

/** The item that a question is shown behind: the one it is about, else the one it came after. */
const placeOf = ({ itemId, afterItem }: PendingRequest, { itemIds }: TurnState): string | null =>
  itemId !== null && itemIds.includes(itemId) ? itemId : (afterItem ?? null);

interface TurnRows {
  readonly turn: TurnState;
  readonly items: ThreadState["items"];
  readonly requests: readonly PendingRequest[];
}

const requestRow = (request: PendingRequest): Row => ({
  kind: "request",
  key: `request ${request.id}`,
  estimate: 32,
  request,
});

const hooksRow = (hooks: readonly HookRun[], place: string): Row => ({
  kind: "hooks",
  key: `hooks ${place}`,
  estimate: 32,
  hooks,
});

const noticeRow = (notice: Notice, turnId: string): Row => ({
  kind: "notice",
  key: `notice ${turnId} ${notice.id}`,
  estimate: 36,
  notice,
});

/** Requests of turns that are not loaded, or of none, come under the empty name. */
function byTurn(pending: readonly PendingRequest[], turns: readonly TurnState[]): Requests {
  const requests = new Map<string, PendingRequest[]>();
  if (pending.length === 0) return requests;
  const loaded = new Set(turns.map((turn) => turn.id));
  for (const request of pending) {
    const name = request.turnId !== null && loaded.has(request.turnId) ? request.turnId : "";
    requests.set(name, [...(requests.get(name) ?? []), request]);
  }
  return requests;
}
