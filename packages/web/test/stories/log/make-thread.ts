import type { ItemState, TurnState } from "@quire/client/view";
import type { ThreadItem } from "@quire/protocol";
import type { PendingRequest, ThreadState } from "../../../src/state/model.ts";

/** One turn of a story. */
export interface StoryTurn {
  readonly id: string;
  readonly items: readonly ThreadItem[];
  readonly turn?: Partial<TurnState>;
  /** Items that are not done. */
  readonly running?: readonly string[];
}

/** A thread as the page would hold it. */
export function makeThread(turns: readonly StoryTurn[], rest: Partial<ThreadState> = {}): ThreadState {
  const items = new Map<string, ItemState>();
  for (const { id, items: list, running = [] } of turns) {
    for (const item of list) items.set(item.id, makeItem(item, id, !running.includes(item.id)));
  }
  return {
    summary: {
      ...{ key: { hub: "hub", thread: "thread" }, name: "Queue limit", preview: "", cwd: "/work/app", status: "idle" },
      ...{
        unread: false,
        archived: false,
        parent: null,
        agentNickname: null,
        agentRole: null,
        forkedFrom: null,
        model: null,
      },
      ...{ updatedAt: 0, createdAt: 0, branch: null },
    },
    turns: turns.map(({ id, items: list, turn }) => makeTurn(id, list, turn)),
    items,
    pending: [],
    queue: null,
    usage: null,
    olderCursor: null,
    loadingOlder: false,
    loading: false,
    error: null,
    settings: {
      ...{
        model: "offline",
        modelProvider: null,
        effort: null,
        sandbox: null,
        approvalPolicy: null,
        approvalsReviewer: null,
      },
      ...{ mode: null, cwd: "/work/app" },
    },
    notices: [],
    activeTurn: turns.find(({ turn }) => turn?.status === "inProgress")?.id ?? null,
    version: 1,
    ...rest,
  };
}

/** An item as the page would hold it. */
function makeItem(item: ThreadItem, turnId: string, done: boolean): ItemState {
  return { item, turnId, done, startedAtMs: null, completedAtMs: null, progress: null, clipped: false };
}

function makeTurn(id: string, items: readonly ThreadItem[], turn: Partial<TurnState> = {}): TurnState {
  return {
    id,
    status: "completed",
    error: null,
    startedAt: 1_763_200_000,
    completedAt: turn.status === "inProgress" ? null : 1_763_200_012,
    durationMs: turn.status === "inProgress" ? null : 12_400,
    diff: null,
    plan: null,
    usage: null,
    spent: null,
    itemIds: items.map((item) => item.id),
    notices: [],
    hooks: [],
    ...turn,
  };
}

/** A question that waits beside an item. */
export function makeRequest(id: string, turnId: string | null, itemId: string | null): PendingRequest {
  return { id, hub: "hub", threadId: "thread", turnId, itemId, method: "item/x", params: {}, answered: null };
}
