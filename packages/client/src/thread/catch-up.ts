import { ConnectionError, type NotificationMessage, RpcError } from "@quire/jsonrpc";
import { isTerminalTurnStatus, type ThreadItem, type Turn } from "@quire/protocol";
import { orOlder } from "../link/missing-method.ts";
import type { TurnLog } from "../turn/turn-log.ts";
import type { ThreadState } from "./thread-state.ts";

/** A call on a connection that is back but not yet open to others. */
type Call = (method: string, params: unknown) => Promise<unknown>;

/** The parts of the client that catching up needs. */
export interface CatchUpHost {
  readonly call: Call;
  /** Takes what was missed as if it came now. */
  deliver(message: NotificationMessage): void;
}

interface FoundTurns {
  readonly turns: readonly Turn[];
  /** True when their items are to be listed; else the turns hold them. */
  readonly paged: boolean;
}

/** Items asked for at once. */
const pageSize = 200;

/**
 * Subscribes to a thread again and tells its running turns what they missed: each item that completed in the meantime,
 * once, and the end, if it has come. A turn that the server does not know any more fails with an error that says so.
 * Rejects when the connection is lost again; nothing has failed then, and the next catch-up goes on.
 */
export async function catchUp(state: ThreadState, { call, deliver }: CatchUpHost): Promise<void> {
  try {
    const { turns, paged } = await findTurns(state, call);
    for (const log of state.running) {
      const turn = turns.find(({ id }) => id === log.id);
      if (!turn) {
        state.fail(log, lost(`Turn ${log.id} is not known to the server after the reconnect`));
        continue;
      }
      const items = paged ? await listItems(log, call) : unseenByOrder(log, turn.items);
      for (const item of items) replayItem(log, item, deliver);
      if (isTerminalTurnStatus(turn.status))
        deliver({ method: "turn/completed", params: { threadId: state.id, turn } });
    }
  } catch (error) {
    if (!RpcError.is(error)) throw error;
    const message = `Thread ${state.id} could not be resumed after the reconnect: ${error.message}`;
    for (const log of state.running) state.fail(log, lost(message, error));
    state.live = false;
  }
}

/** Servers before 0.166 do not know `excludeTurns` and give the turns with the resume. */
async function findTurns(state: ThreadState, call: Call): Promise<FoundTurns> {
  const resume = { threadId: state.id, excludeTurns: true };
  const { thread } = (await call("thread/resume", resume)) as { thread: { turns?: Turn[] } };
  if (state.running.length === 0) return { turns: [], paged: false };
  return orOlder<FoundTurns>(
    "thread/turns/list",
    async () => ({ turns: await listTurns(state, call), paged: true }),
    async () => ({ turns: thread.turns ?? [], paged: false }),
  );
}

async function listTurns(state: ThreadState, call: Call): Promise<Turn[]> {
  const wanted = new Set(state.running.map(({ id }) => id));
  const found: Turn[] = [];
  let cursor: string | null = null;
  do {
    const params = { threadId: state.id, cursor, limit: 50, sortDirection: "desc" };
    const page = (await call("thread/turns/list", params)) as { data: Turn[]; nextCursor?: string | null };
    for (const turn of page.data) if (wanted.delete(turn.id)) found.push(turn);
    cursor = page.nextCursor ?? null;
  } while (cursor !== null && wanted.size > 0);
  return found;
}

async function listItems(log: TurnLog, call: Call): Promise<ThreadItem[]> {
  const items: ThreadItem[] = [];
  let cursor: string | null = null;
  do {
    const params = { threadId: log.threadId, turnId: log.id, cursor, limit: pageSize, sortDirection: "asc" };
    const page = (await call("thread/items/list", params)) as {
      data: { item: ThreadItem }[];
      nextCursor?: string | null;
    };
    for (const { item } of page.data) items.push(item);
    cursor = page.nextCursor ?? null;
  } while (cursor !== null);
  return items;
}

/** Before 0.166 a stored item has another id than the live one had, so the nth of a kind is taken to be the nth. */
function unseenByOrder(log: TurnLog, items: readonly ThreadItem[]): ThreadItem[] {
  const seen = new Map<string, number>();
  for (const { type } of log.items) seen.set(type, (seen.get(type) ?? 0) + 1);
  return items.filter(({ type }) => {
    const left = seen.get(type) ?? 0;
    seen.set(type, left - 1);
    return left <= 0;
  });
}

function replayItem(log: TurnLog, item: ThreadItem, deliver: CatchUpHost["deliver"]): void {
  if (log.hasCompleted(item)) return;
  // What has begun but not ended completes by a live event, or is listed again by the next catch-up.
  if ("status" in item && item.status === "inProgress") return;
  const params = { threadId: log.threadId, turnId: log.id, item };
  if (!log.hasStarted(item)) deliver({ method: "item/started", params });
  deliver({ method: "item/completed", params });
}

function lost(message: string, cause?: unknown): ConnectionError {
  return new ConnectionError("closed", message, { mayHaveRun: true, cause });
}
