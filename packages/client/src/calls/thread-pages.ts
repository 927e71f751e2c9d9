import type { Thread } from "@quire/protocol";
import type { Page } from "./cursor-methods.ts";
import type { PageOptions } from "./paged.ts";
import { callOptions, type FetchPage, pageSize, repeatedCursor } from "./paginate.ts";

/** Listed as such, or found by a search. */
type ListedThread = Thread | { readonly thread: Thread };

/** Asked for where the server's own choice might not reach beyond what is repeated. */
const defaultPageSize = 50;

/** A cursor without a fraction, as `2026-01-02T03:04:05Z`, and perhaps with the id of a thread behind it. */
const wholeSecond = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)(\|.+)?$/;

/** The order of a list of threads, and how its server reads cursors. */
export interface ThreadOrder {
  /** True when the oldest come first. */
  readonly ascending: boolean;
  /** True when the server overlooks the id in a cursor: `thread/search` of 0.169 does, `thread/list` does not. */
  readonly overlooksId: boolean;
}

/**
 * Pages of threads, none lost. Codex 0.166 cuts the time in its cursors to the second, so that the next page leaves out
 * whatever else was created in the second in which this page ends. Here the next page begins a little earlier and what
 * it repeats is taken out. Exact cursors are used as they are.
 */
export async function* threadPages<P extends Page<ListedThread>>(
  fetchPage: FetchPage<P>,
  options: PageOptions,
  order: ThreadOrder,
): AsyncGenerator<P, undefined> {
  const size = pageSize(options);
  let next: string | undefined;
  let repeated = new Set<string>();
  const seen = new Set<string>();
  for (;;) {
    const cursor = next && overlapping(next, order);
    // Room for what is repeated, so that even a second with many threads is got through.
    const limit = repeated.size === 0 ? size : (size ?? defaultPageSize) + repeated.size;
    const page = await fetchPage({ cursor, limit }, callOptions(options));
    const data = page.data.filter((listed) => !repeated.has(threadOf(listed).id));
    yield data.length === page.data.length ? page : { ...page, data };
    if (!page.nextCursor) return undefined;
    // A second that spans several pages gives its cursor again, but then with something new each time.
    const sameSecond = page.nextCursor === next && data.length > 0 && secondOf(next, order) !== undefined;
    next = page.nextCursor;
    if (seen.has(next) && !sameSecond) throw repeatedCursor(next);
    seen.add(next);
    repeated = idsWithin(secondOf(next, order), page.data);
  }
}

/** The second that a cursor points to, in milliseconds; undefined for an exact cursor. */
function secondOf(cursor: string, { overlooksId }: ThreadOrder): number | undefined {
  const [, time, id] = wholeSecond.exec(cursor) ?? [];
  return time === undefined || (id !== undefined && !overlooksId) ? undefined : Date.parse(time);
}

/** The cursor moved to the other edge of its second; an exact one as it is. */
function overlapping(cursor: string, order: ThreadOrder): string {
  const second = secondOf(cursor, order);
  return second === undefined ? cursor : new Date(second + (order.ascending ? -1 : 999)).toISOString();
}

function idsWithin(second: number | undefined, page: readonly ListedThread[]): Set<string> {
  if (second === undefined) return new Set();
  return new Set(page.map(threadOf).flatMap(({ id, createdAt }) => (createdAt * 1000 === second ? [id] : [])));
}

function threadOf(listed: ListedThread): Thread {
  return "thread" in listed ? listed.thread : listed;
}
