import { resolve } from "node:path";
import { ErrorCode, RpcError } from "@quire/jsonrpc";
import type {
  ThreadListParams,
  ThreadReadResponse,
  ThreadReadState,
  ThreadSearchParams,
  ThreadTurnsListParams,
  Turn,
  Thread as WireThread,
} from "@quire/protocol";
import type { Handlers } from "../../context/processor.ts";
import type { ServerCore } from "../../features/open-core.ts";
import { coreOf } from "../../features/open-core.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import { allTurns } from "../../store/read-turns.ts";
import type { StoredTurns, ThreadQuery, ThreadSummary } from "../../store/thread-store.ts";
import { itemsPage, lastTurnsOf, lastTurnsPage, planTurns, turnsOfItems } from "../../thread/pages.ts";
import type { Thread } from "../../thread/thread.ts";
import { checkThreadId, isThreadId } from "../../thread/thread-manager.ts";
import { TurnTexts } from "../../thread/turn-texts.ts";
import { fromRecord, fromSummary, wireThread, withPlacement, withPlacements } from "../../thread/wire-thread.ts";
import { initialState } from "../../user-state/read-states.ts";
import { readRecord } from "./read-record.ts";
import { placeFilter, sectionPage } from "./section-page.ts";
import { notLoaded } from "./thread-errors.ts";

const maxPage = 100;
const defaultPage = 25;
const maxItemIds = 100;

/** Finding and reading threads. */
export const handlers: Handlers = {
  "thread/list": async (params, { server }) => {
    const core = coreOf(server);
    const query = toQuery(params);
    const { rows, ...cursors } = await listed(core, params, query);
    const ids = rows.map(({ id }) => id);
    const readStates = core.state.existing?.readStates.of(ids);
    for (const row of rows) await loadedOf(core, row)?.refresh();
    return {
      data: withPlacements(
        core,
        rows.map((row) => shown(core, row)),
      ),
      readStates: readStates ?? Object.fromEntries(ids.map((id) => [id, initialState(id)])),
      ...cursors,
    };
  },

  "thread/loaded/list": (params, { server }) => {
    const ids = coreOf(server).threads.ids.sort();
    const cursor = params.cursor ?? null;
    if (cursor !== null && ids.length > 0 && !isThreadId(cursor)) throw invalidRequest(`invalid cursor: ${cursor}`);
    // The thread that a cursor names may be unloaded by now: what comes after it is still known.
    const rest = cursor === null ? ids : ids.filter((id) => id > cursor.toLowerCase());
    const data = rest.slice(0, Math.max(1, params.limit ?? ids.length));
    return { data, nextCursor: data.length < rest.length ? (data.at(-1) ?? null) : null };
  },

  "thread/read": async ({ threadId, includeTurns }, { server }) => {
    const core = coreOf(server);
    const summary = includeTurns ? undefined : await storedSummary(core, threadId);
    if (summary) return { thread: withPlacement(core, fromSummary(summary)), readState: readStateOf(core, threadId) };
    const { record, thread } = await readRecord(core, threadId);
    if (thread?.ephemeral && includeTurns) throw invalidRequest("ephemeral threads do not support includeTurns");
    const texts = includeTurns ? await TurnTexts.of(shownTurns(record.turns, thread)) : undefined;
    const stored = thread ? thread.stored : true;
    const result: ThreadReadResponse = {
      thread: thread ? wireThread(thread) : withPlacement(core, fromRecord(record)),
      readState: stored ? readStateOf(core, threadId) : null,
    };
    return texts?.result("thread/read", result, shownTurns(record.turns, thread)) ?? result;
  },

  "thread/turns/list": async (params, { server }) => {
    const core = coreOf(server);
    const last = await lastTurns(core, params);
    if (last) return lastTurnsPage(last, params);
    const turns = await readTurns(core, params.threadId, "thread/turns/list");
    const { from, to, page } = planTurns(turns, params);
    return page(await turns.read(from, to));
  },

  "thread/items/list": async (params, { server }) => {
    const turns = await readTurns(coreOf(server), params.threadId, "thread/items/list");
    return itemsPage(await turnsOfItems(turns, params), params);
  },

  "thread/items/read": async ({ threadId, turnId, itemIds }, { server }) => {
    const turns = await readTurns(coreOf(server), threadId, "thread/items/read");
    if (itemIds.length === 0 || itemIds.length > maxItemIds)
      throw invalidRequest(`itemIds must contain 1 to ${maxItemIds} IDs`);
    const at = turns.indexOf(turnId);
    const items = at === -1 ? [] : ((await turns.read(at, at + 1))[0]?.items ?? []);
    const wanted = itemIds.flatMap((id) => items.find((item) => item.id === id) ?? []);
    return {
      data: wanted.map((item) => ({
        turnId,
        item,
        startedAtMs: item.startedAtMs ?? null,
        completedAtMs: item.completedAtMs ?? null,
      })),
    };
  },

  "thread/search": async (params: ThreadSearchParams, { server }) => {
    const core = coreOf(server);
    if (params.searchTerm.trim() === "") throw invalidRequest("searchTerm must not be empty");
    const page = await core.store.search({
      term: params.searchTerm,
      cursor: params.cursor ?? null,
      limit: pageSize(params.limit),
      archived: params.archived === true,
      sortKey: params.sortKey ?? "created_at",
      sortDirection: params.sortDirection ?? "desc",
      sourceKinds: params.sourceKinds ?? null,
    });
    for (const { thread } of page.results) await loadedOf(core, thread)?.refresh();
    const data = page.results.map(({ thread, snippet }) => ({
      thread: withPlacement(core, shown(core, thread)),
      snippet,
    }));
    return { data, nextCursor: page.nextCursor, backwardsCursor: page.backwardsCursor };
  },
};

/** A thread that is not loaded, from the index, since its file may be long; none for a file that cannot be read. */
async function storedSummary(core: ServerCore, threadId: string): Promise<ThreadSummary | undefined> {
  checkThreadId(threadId);
  return core.threads.get(threadId) ? undefined : await core.store.summary(threadId);
}

function readStateOf(core: ServerCore, threadId: string): ThreadReadState {
  return core.state.existing?.readStates.get(threadId) ?? initialState(threadId);
}

function toQuery(params: ThreadListParams): ThreadQuery {
  for (const id of params.excludedThreadIds ?? []) {
    if (!isThreadId(id))
      throw new RpcError({
        code: ErrorCode.invalidParams,
        message: `excludedThreadIds: ${JSON.stringify(id)} is no UUID`,
      });
  }
  if (params.sortKey === "section_position" && !params.sectionId) {
    throw invalidRequest("section-position sorting requires a section filter");
  }
  if (params.includeAttachedThreads && !params.searchTerm?.trim()) {
    throw invalidRequest("includeAttachedThreads requires a non-empty searchTerm");
  }
  return {
    cursor: params.cursor ?? null,
    limit: pageSize(params.limit),
    sortKey: params.sortKey ?? "created_at",
    sortDirection: params.sortDirection ?? "desc",
    archived: params.archived === true,
    modelProviders: params.modelProviders?.length ? params.modelProviders : null,
    originators: params.originators?.length ? params.originators : null,
    sourceKinds: params.sourceKinds?.length ? params.sourceKinds : null,
    cwds: params.cwd === undefined || params.cwd === null ? null : [params.cwd].flat().map((cwd) => resolve(cwd)),
    searchTerm: params.searchTerm ?? null,
    parentThreadId: params.parentThreadId ?? null,
    ancestorThreadId: params.ancestorThreadId ?? null,
    excludedThreadIds: params.excludedThreadIds ?? [],
  };
}

const pageSize = (limit: number | null | undefined): number => Math.min(maxPage, Math.max(1, limit ?? defaultPage));

async function listed(core: ServerCore, params: ThreadListParams, query: ThreadQuery) {
  if (params.sortKey === "section_position") return sectionPage(core, params, query);
  const { threads, ...cursors } = await core.store.list({ ...query, ...placeFilter(core, params) });
  return { rows: threads, ...cursors };
}

/** The index entry of a thread, or the thread itself when it is loaded. */
function shown(core: ServerCore, row: ThreadSummary): WireThread {
  const thread = loadedOf(core, row);
  return thread ? { ...wireThread(thread), canAcceptDirectInput: null } : fromSummary(row);
}

function loadedOf(core: ServerCore, { archived, id }: ThreadSummary): Thread | undefined {
  return archived ? undefined : core.threads.get(id);
}

/** An unfinished stored turn was interrupted; in a loaded thread it is running. */
function shownTurns(turns: readonly Turn[], thread: Thread | undefined): readonly Turn[] {
  return thread?.shownTurns() ?? turns;
}

/** The turns of a page from the end of a stored thread, where they can be read without the others. */
async function lastTurns(core: ServerCore, params: ThreadTurnsListParams): Promise<readonly Turn[] | undefined> {
  checkThreadId(params.threadId);
  const limit = core.threads.get(params.threadId) ? undefined : lastTurnsOf(params);
  return limit === undefined ? undefined : await core.store.lastTurns(params.threadId, limit);
}

/** The turns of a thread, loaded or stored, for a method that takes a few of them. */
async function readTurns(core: ServerCore, threadId: string, method: string): Promise<StoredTurns> {
  checkThreadId(threadId);
  const thread = core.threads.get(threadId);
  await thread?.refresh();
  if (thread?.ephemeral) throw invalidRequest(`ephemeral threads do not support ${method}`);
  const turns = thread ? allTurns(thread.shownTurns()) : await core.store.turns(threadId);
  if (!turns) throw notLoaded(threadId);
  return turns;
}
