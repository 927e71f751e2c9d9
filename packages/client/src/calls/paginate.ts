import { ConnectionError } from "@quire/jsonrpc";
import type { CallOptions } from "../port/server-port.ts";
import type { Page } from "./cursor-methods.ts";
import { Paged, type PageOptions } from "./paged.ts";

/** The start and the length of a page. The server chooses the ones that are `undefined`. */
export interface PageRequest {
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
}

/** Asks for one page. */
export type FetchPage<P> = (request: PageRequest, options: CallOptions) => Promise<P>;

/** Makes one list of what comes in pages. Rejects when the server repeats a cursor, which would never end. */
export function paginate<P extends Page>(
  fetchPage: FetchPage<P>,
  options: PageOptions = {},
): Paged<P["data"][number], P> {
  return new Paged(() => cursorPages(fetchPage, options), options);
}

async function* cursorPages<P extends Page>(
  fetchPage: FetchPage<P>,
  options: PageOptions,
): AsyncGenerator<P, undefined> {
  const limit = pageSize(options);
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const page = await fetchPage({ cursor, limit }, callOptions(options));
    yield page;
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined) return undefined;
    if (seen.has(cursor)) throw repeatedCursor(cursor);
    seen.add(cursor);
  }
}

/** No page need be longer than what is wanted in all. */
export function pageSize({ pageSize: size, limit }: PageOptions): number | undefined {
  return limit === undefined || limit === Number.POSITIVE_INFINITY ? size : Math.min(size ?? limit, limit);
}

/** The options that go to each call. */
export function callOptions({ signal, timeoutMs }: PageOptions): CallOptions {
  return { signal, timeoutMs };
}

/** The error for a list that has no end. */
export function repeatedCursor(cursor: string): ConnectionError {
  return new ConnectionError("invalid-message", `The server gave the cursor ${cursor} twice: its list has no end`);
}
