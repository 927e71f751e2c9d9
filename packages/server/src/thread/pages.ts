import type {
  SortDirection,
  ThreadItem,
  ThreadItemEntry,
  ThreadItemOutputDeferral,
  ThreadItemsListCursor,
  ThreadItemsListResponse,
  ThreadTurnsListResponse,
  Turn,
  TurnItemsView,
} from "@quire/protocol";
import { invalidParams, invalidRequest } from "../lib/rpc-errors.ts";
import type { StoredTurns } from "../store/thread-store.ts";

const defaultTurns = 25;
const defaultItems = 100;
const maxEntries = 1000;

interface PageParams {
  readonly cursor?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly sortDirection?: SortDirection | null | undefined;
}

type TurnsParams = PageParams & { readonly itemsView?: TurnItemsView | null | undefined };

/** A page of turns, latest first by default. */
export function turnsPage(turns: readonly Turn[], params: TurnsParams): ThreadTurnsListResponse {
  const indexOf = (turnId: string) => turns.findIndex(({ id }) => id === turnId);
  const { from, to, page } = planTurns({ count: turns.length, indexOf }, params);
  return page(turns.slice(from, to));
}

/** The number of turns in a page that begins with the last one; `undefined` for any other page. */
export function lastTurnsOf({ cursor, limit, sortDirection }: TurnsParams): number | undefined {
  return (cursor ?? null) === null && sortDirection !== "asc" ? limited(limit, defaultTurns) : undefined;
}

/** The page with the last turns of a longer thread, of which nobody has counted the others. */
export function lastTurnsPage(turns: readonly Turn[], { itemsView }: TurnsParams): ThreadTurnsListResponse {
  const [first, last] = [turns[0], turns.at(-1)];
  return {
    data: turns.toReversed().map((turn) => inView(turn, itemsView ?? "summary")),
    nextCursor: first ? encodeTurn(first, "after") : null,
    backwardsCursor: last ? encodeTurn(last, "from") : null,
  };
}

/** A page of turns before they are read. */
interface PlannedTurns {
  /** The first turn that it needs, by its index. */
  readonly from: number;
  readonly to: number;
  page(turns: readonly Turn[]): ThreadTurnsListResponse;
}

/** Plans a page of a thread's turns, so that only those that it needs are read. */
export function planTurns(
  { count, indexOf }: Pick<StoredTurns, "count" | "indexOf">,
  params: TurnsParams,
): PlannedTurns {
  const view = params.itemsView ?? "summary";
  const { indexes, cursors } = slice(
    { from: 0, to: count },
    "turns",
    { ...params, cursor: counted(params.cursor, { count, indexOf }), sortDirection: params.sortDirection ?? "desc" },
    defaultTurns,
  );
  const from = Math.min(indexes[0] ?? 0, indexes.at(-1) ?? 0);
  const page = (turns: readonly Turn[]): ThreadTurnsListResponse => ({
    ...cursors,
    data: indexes.map((index) => inView(turns[index - from] as Turn, view)),
  });
  return { from, to: from + indexes.length, page };
}

interface ItemsParams extends Omit<PageParams, "cursor"> {
  readonly cursor?: ThreadItemsListCursor | null | undefined;
  readonly turnId?: string | null | undefined;
  readonly deferOutput?: ThreadItemOutputDeferral | null | undefined;
}

/** The turns that a page of items needs: for the first page of a thread a few are enough, as most have items. */
export async function turnsOfItems(turns: StoredTurns, params: ItemsParams): Promise<readonly Turn[]> {
  const isFirst = (params.cursor ?? null) === null && !params.turnId && params.sortDirection !== "desc";
  // With one more, which tells that there is a next page.
  const enough = limited(params.limit, defaultItems) + 1;
  const first = isFirst ? await turns.read(0, Math.min(enough, turns.count)) : [];
  const items = first.reduce((sum, turn) => sum + turn.items.length, 0);
  return items < enough && first.length < turns.count ? turns.all() : first;
}

/** A page of items, earliest first by default. */
export function itemsPage(turns: readonly Turn[], params: ItemsParams): ThreadItemsListResponse {
  const { turnId } = params;
  const anchored = typeof params.cursor === "object" && params.cursor !== null;
  if (anchored && !turnId) throw invalidParams("turnId is required when cursor is an item anchor");
  const entries = turns.flatMap((turn) => turn.items.map((item) => entry(turn.id, item)));
  // Places are counted through the whole thread: a cursor means the same whether one turn is asked for or all.
  const from = turnId ? entries.findIndex((each) => each.turnId === turnId) : 0;
  const to = turnId ? entries.findLastIndex((each) => each.turnId === turnId) + 1 : entries.length;
  const cursor = anchored ? anchor(entries, turnId ?? "", params.cursor.itemId) : params.cursor;
  const page = slice(
    { from: Math.max(0, from), to },
    "items",
    { ...params, cursor, sortDirection: params.sortDirection ?? "asc" },
    defaultItems,
  );
  const data = page.indexes.map((index) => withoutOutput(entries[index] as ThreadItemEntry, params.deferOutput ?? {}));
  return { ...page.cursors, data };
}

/** Leaves out the output of items that a client reads later, by `thread/items/read`. */
function withoutOutput(
  entry: ThreadItemEntry,
  { commandExecution, mcpToolCall }: ThreadItemOutputDeferral,
): ThreadItemEntry {
  const { item } = entry;
  if (commandExecution && item.type === "commandExecution" && item.aggregatedOutput)
    return { ...entry, item: { ...item, aggregatedOutput: null }, outputDeferred: true };
  if (mcpToolCall && item.type === "mcpToolCall" && item.result)
    return { ...entry, item: { ...item, result: null }, outputDeferred: true };
  return entry;
}

/** From where one would go back through the turns; `null` where there are none. */
export const turnsEnd = (turns: readonly Turn[]): string | null =>
  turns.length === 0 ? null : encode({ of: "turns", at: turns.length - 1, inclusive: true });

/** From where one would go back through the items. */
export function itemsEnd(turns: readonly Turn[]): string | null {
  const count = turns.reduce((sum, turn) => sum + turn.items.length, 0);
  return count === 0 ? null : encode({ of: "items", at: count - 1, inclusive: true });
}

/** A turn with the requested items. A summary has the question and the answer. */
function inView(turn: Turn, view: TurnItemsView): Turn {
  if (view === "full") return { ...turn, itemsView: "full" };
  if (view === "notLoaded") return { ...turn, items: [], itemsView: "notLoaded" };
  const first = turn.items.find((item) => item.type === "userMessage");
  const last = turn.items.findLast((item) => item.type === "agentMessage");
  return { ...turn, items: [first, last].filter((item) => item !== undefined), itemsView: "summary" };
}

function entry(turnId: string, item: ThreadItem): ThreadItemEntry {
  return { turnId, item, startedAtMs: item.startedAtMs ?? null, completedAtMs: item.completedAtMs ?? null };
}

function anchor(entries: readonly ThreadItemEntry[], turnId: string, itemId: string): string {
  const at = entries.findIndex((each) => each.turnId === turnId && each.item.id === itemId);
  if (at < 0) throw invalidRequest(`item not found: ${itemId}`);
  return encode({ of: "items", at, inclusive: true });
}

interface Cursor {
  readonly of: "turns" | "items";
  readonly at: number;
  readonly inclusive: boolean;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const limited = (limit: number | null | undefined, otherwise: number): number =>
  Math.min(maxEntries, Math.max(1, limit ?? otherwise));

function slice({ from, to }: Range, of: Cursor["of"], params: PageParams, defaultLimit: number) {
  const step = params.sortDirection === "asc" ? 1 : -1;
  const cursor = params.cursor === undefined || params.cursor === null ? undefined : decode(params.cursor, of);
  const edge = step === 1 ? from : to - 1;
  const given = cursor ? cursor.at + (cursor.inclusive ? 0 : step) : edge;
  // The cursor's item may be gone or outside of the turn: the page continues after it.
  const start = step === 1 ? Math.max(given, edge) : Math.min(given, edge);
  const limit = limited(params.limit, defaultLimit);
  const indexes: number[] = [];
  for (let at = start; at >= from && at < to && indexes.length < limit; at += step) indexes.push(at);
  const first = indexes[0];
  const last = indexes.at(-1);
  const more = last !== undefined && last + step >= from && last + step < to;
  const cursors = {
    nextCursor: more ? encode({ of, at: last, inclusive: false }) : null,
    backwardsCursor: first === undefined ? null : encode({ of, at: first, inclusive: true }),
  };
  return { indexes, cursors };
}

const encode = ({ of, at, inclusive }: Cursor): string => `${of}:${at}:${inclusive ? "from" : "after"}`;

/** A cursor with the id of a turn whose place was not known. */
const encodeTurn = ({ id }: Turn, mode: "from" | "after"): string =>
  `turn:${Buffer.from(id).toString("base64url")}:${mode}`;

const namedTurn = /^turn:([\w-]+):(from|after)$/;

/** A cursor with the place of the turn that it names. One that is gone was the last, or later. */
function counted(
  cursor: string | null | undefined,
  { count, indexOf }: Pick<StoredTurns, "count" | "indexOf">,
): string | null | undefined {
  const [, name = "", mode] = namedTurn.exec(cursor ?? "") ?? [];
  if (mode === undefined) return cursor;
  const at = indexOf(Buffer.from(name, "base64url").toString());
  return encode({ of: "turns", at: at === -1 ? count : at, inclusive: at !== -1 && mode === "from" });
}

function decode(text: string, of: Cursor["of"]): Cursor {
  const match = /^(turns|items):(\d+):(from|after)$/.exec(text);
  if (match?.[1] !== of) throw invalidRequest(`invalid cursor: ${text}`);
  return { of, at: Number(match[2]), inclusive: match[3] === "from" };
}

/** A cursor for `thread/turns/list` that begins with a turn, given by its index. */
export const cursorAtTurn = (at: number): string => encode({ of: "turns", at, inclusive: true });
