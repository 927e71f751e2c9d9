import type { ClientRequests } from "@quire/protocol";
import type { CallOptions, ServerPort } from "../port/server-port.ts";
import type { CursorMethod, ItemOf, Page } from "./cursor-methods.ts";
import { Paged, type PageOptions } from "./paged.ts";
import { type FetchPage, paginate } from "./paginate.ts";
import type { ThreadOrder } from "./thread-pages.ts";

/** Params of a cursor method, of which `cursor` says where to begin, and `limit` (or `pageSize`) how long a page is. */
export type CursorParams<M extends CursorMethod> = ClientRequests[M]["params"];

/**
 * The list behind any cursor method: iterate it for all items, await it for the first page.
 *
 * ```ts
 * for await (const turn of pages(port, "thread/turns/list", { threadId }, { limit: 100 })) …
 * ```
 */
export function pages<M extends CursorMethod>(
  port: ServerPort,
  method: M,
  params: CursorParams<M>,
  options: PageOptions = {},
): Paged<ItemOf<M>, ClientRequests[M]["result"]> {
  // One method among many is more than the type checker follows; inside, a page is a page.
  const call = port.request.bind(port) as (method: string, params: object, options: CallOptions) => Promise<Page>;
  const given = params as { cursor?: string; limit?: number | null; sortDirection?: string | null; sortKey?: string };
  const fetchPage: FetchPage<Page> = ({ cursor = given.cursor, limit }, callOptions) =>
    call(method, { ...given, ...(cursor != null && { cursor }), ...(limit && { limit }) }, callOptions);
  const sized = { ...options, pageSize: options.pageSize ?? given.limit ?? undefined };
  const byTime = given.sortKey == null || given.sortKey === "created_at";
  const order = { ascending: given.sortDirection === "asc", overlooksId: method === "thread/search" };
  const isThreads = method === "thread/list" || method === "thread/search";
  const list =
    isThreads && byTime
      ? new Paged(() => overlapping(fetchPage as FetchPage<never>, sized, order), sized)
      : paginate(fetchPage, sized);
  return list as unknown as Paged<ItemOf<M>, ClientRequests[M]["result"]>;
}

/** Loaded when needed: only lists of threads have to be read this way. */
async function* overlapping(
  fetchPage: FetchPage<never>,
  options: PageOptions,
  order: ThreadOrder,
): AsyncGenerator<never, undefined> {
  const { threadPages } = await import("./thread-pages.ts");
  return yield* threadPages(fetchPage, options, order);
}
