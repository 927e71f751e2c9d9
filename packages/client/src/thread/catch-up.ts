import { ConnectionError, type NotificationMessage, RpcError } from "@quire/jsonrpc";
import { compareVersions, isTerminalTurnStatus, type Thread, type ThreadItem, type Turn } from "@quire/protocol";
import { orOlder } from "../link/missing-method.ts";
import type { TurnLog } from "../turn/turn-log.ts";
import type { ThreadState } from "./thread-state.ts";

/** A call on a connection that is back but not yet open to others. */
type Call = (method: string, params: unknown) => Promise<unknown>;

/** The parts of the client that catching up needs. */
export interface CatchUpHost {
  readonly call: Call;
  readonly serverVersion: string | undefined;
  /** Takes what was missed as if it came now. */
  deliver(message: NotificationMessage): void;
}

interface FoundTurn {
  readonly turn: Turn;
  /** The items that may have been missed. */
  readonly items: readonly ThreadItem[];
}

/** Before this version, a stored turn counts as completed, whatever became of it. */
const truthfulSince = "0.105.0";

/** Items asked for at once. */
const pageSize = 200;

/**
 * Subscribes to a thread again and tells its running turns what they missed: each item that completed in the meantime,
 * once, and the end, if it has come. A turn that the server does not know any more fails with an error that says so.
 * Rejects when the connection is lost again; nothing has failed then, and the next catch-up continues.
 */
export async function catchUp(state: ThreadState, host: CatchUpHost): Promise<void> {
  try {
    const found = await findTurns(state, host);
    for (const log of state.running) {
      const { turn, items = [] } = found.find(({ turn: { id } }) => id === log.id) ?? {};
      const doubt = turn ? doubtOf(turn, host.serverVersion) : "is not known to the server after the reconnect";
      if (!turn || doubt !== undefined) {
        state.fail(log, lost(`Turn ${log.id} ${doubt}`));
        continue;
      }
      for (const item of items) replayItem(log, item, host.deliver);
      if (isTerminalTurnStatus(turn.status))
        host.deliver({ method: "turn/completed", params: { threadId: state.id, turn } });
    }
  } catch (error) {
    if (!RpcError.is(error)) throw error;
    const message = `Thread ${state.id} could not be resumed after the reconnect: ${error.message}`;
    for (const log of state.running) state.fail(log, lost(message, error));
    state.live = false;
  }
}

/** Says why what the server tells of a turn cannot be believed. */
function doubtOf({ status }: Turn, serverVersion: string | undefined): string | undefined {
  const isSettled = status === "failed" || status === "interrupted";
  if (isSettled || serverVersion === undefined || compareVersions(serverVersion, truthfulSince) >= 0) return undefined;
  const unknown = `Codex ${serverVersion} does not tell whether it has ended (${truthfulSince} and later do)`;
  return `was running when the connection was lost, and ${unknown}`;
}

/** Finds the running turns. Only a thread with pages lists its items, and no thread before 0.151 has pages. */
async function findTurns(state: ThreadState, { call }: CatchUpHost): Promise<FoundTurn[]> {
  await call("thread/resume", { threadId: state.id, excludeTurns: true });
  if (state.running.length === 0) return [];
  return orOlder<FoundTurn[]>(
    "thread/items/list",
    () => pagedTurns(state, call),
    () => resumedTurns(state, call),
  );
}

async function pagedTurns(state: ThreadState, call: Call): Promise<FoundTurn[]> {
  const found: FoundTurn[] = [];
  for (const turn of await listTurns(state, call))
    found.push({ turn, items: await listItems(state.id, turn.id, call) });
  return found;
}

/** Takes the turns from the reply to a resume: only there, an older server tells what a running turn has done so far. */
async function resumedTurns(state: ThreadState, call: Call): Promise<FoundTurn[]> {
  // Asked before the resume: a turn that ends in between is then reported as ended, not as dead.
  const { thread: now } = await callThread(call, "thread/read", { threadId: state.id, includeTurns: false });
  const { thread } = await callThread(call, "thread/resume", { threadId: state.id });
  // Up to 0.110, a turn that ended with its server is reported as running. The thread's status says that nothing runs.
  const isDead = now?.status !== undefined && now.status.type !== "active";
  return (thread?.turns ?? []).flatMap((turn) => {
    const log = state.running.find(({ id }) => id === turn.id);
    if (!log) return [];
    const items = unseenByOrder(log, turn.items);
    return [{ turn: isDead && turn.status === "inProgress" ? { ...turn, status: "interrupted" } : turn, items }];
  });
}

async function callThread(call: Call, method: string, params: object): Promise<{ thread?: Partial<Thread> }> {
  return (await call(method, params)) as { thread?: Partial<Thread> };
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

async function listItems(threadId: string, turnId: string, call: Call): Promise<ThreadItem[]> {
  const items: ThreadItem[] = [];
  let cursor: string | null = null;
  do {
    const params = { threadId, turnId, cursor, limit: pageSize, sortDirection: "asc" };
    const page = (await call("thread/items/list", params)) as {
      data: { item: ThreadItem }[];
      nextCursor?: string | null;
    };
    for (const { item } of page.data) items.push(item);
    cursor = page.nextCursor ?? null;
  } while (cursor !== null);
  return items;
}

/** Without pages, a stored item has another id than the live one had, so the nth of a kind is taken to be the nth. */
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
