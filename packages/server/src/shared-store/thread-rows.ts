import type { SQL } from "bun";
import { type ListParts, listStatement, type Statement } from "../store/index/list-query.ts";
import { cursors } from "../store/index/page-cursors.ts";
import { kindOf, restOf, summaryOfRow, type ThreadRow } from "../store/index/rows.ts";
import { snippetOf } from "../store/index/snippet.ts";
import type { SearchPage, ThreadPage, ThreadQuery, ThreadSearch, ThreadSummary } from "../store/thread-store.ts";

/** A thread's entry in lists, as it goes to the database. */
export interface ListedThread {
  readonly id: string;
  readonly listed: number;
  readonly kind: string;
  readonly parent: string | null;
  readonly provider: string;
  readonly originator: string;
  readonly cwd: string;
  readonly name: string | null;
  readonly preview: string;
  readonly created: number;
  readonly updated: number;
  readonly rest: string;
}

/** The entry of a thread. */
export function listedThread(summary: ThreadSummary, isListed: boolean): ListedThread {
  return {
    id: summary.id,
    listed: isListed ? 1 : 0,
    kind: kindOf(summary.source),
    parent: summary.parentThreadId,
    provider: storable(summary.modelProvider),
    originator: storable(summary.originator),
    cwd: storable(summary.cwd),
    name: summary.name === null ? null : storable(summary.name),
    preview: storable(summary.preview),
    created: summary.createdAtMs,
    updated: summary.updatedAtMs,
    rest: storable(restOf(summary)),
  };
}

/** A text that PostgreSQL takes: without NUL, and with whole characters. */
export const storable = (text: string): string => Buffer.from(text.replaceAll("\0", "")).toString();

/** Converts a statement for SQLite: its list parameters, and the marks of its values. */
function converted({ sql, values }: Statement): { readonly text: string; readonly values: (string | number)[] } {
  let count = 0;
  const text = sql
    .replaceAll("SELECT value FROM json_each(?)", "SELECT json_array_elements_text(?::text::json)")
    .replaceAll("?", () => `$${++count}`);
  return { text, values };
}

/** The columns of a row, without what only the owner needs. */
const columns =
  "id, file AS path, archived, listed, kind, parent, provider, originator, cwd, name, preview, created, updated, rest";

/** The entry of one thread. */
export async function readSummary(sql: SQL, threadId: string): Promise<ThreadSummary | undefined> {
  const [row] = await sql.unsafe<ThreadRow[]>(`SELECT ${columns} FROM threads WHERE id = $1`, [threadId.toLowerCase()]);
  return row && summaryOfRow(row);
}

/** A page of a list; names and previews are searched by the database. */
export async function readList(sql: SQL, query: ThreadQuery): Promise<ThreadPage> {
  const limit = Math.max(1, query.limit);
  const term = query.searchTerm;
  const search: ListParts["also"] = term
    ? ["(position(? in preview) > 0 OR position(? in coalesce(name, '')) > 0)", term, term]
    : undefined;
  const { text, values } = converted(listStatement(query, limit + 1, { columns, also: search }));
  const rows = await sql.unsafe<ThreadRow[]>(text, values);
  return { threads: rows.slice(0, limit).map(summaryOfRow), ...cursors(rows, limit, query) };
}

interface FoundRow extends ThreadRow {
  readonly found: string;
}

/** A page of a search through what was said, and through names. */
export async function readSearch(sql: SQL, query: ThreadSearch): Promise<SearchPage> {
  const limit = Math.max(1, query.limit);
  const term = query.term.toLowerCase();
  const { sql: list, values } = listStatement({ ...everything, ...query, searchTerm: null }, limit + 1, {
    columns: `${columns}, CASE WHEN position(? in lower(coalesce(name, ''))) > 0 THEN name ELSE
        (SELECT body FROM texts WHERE thread = id AND position(? in lower(body)) > 0 ORDER BY seq, number LIMIT 1) END AS found`,
    also: [
      `(position(? in lower(coalesce(name, ''))) > 0
          OR EXISTS (SELECT 1 FROM texts WHERE thread = id AND position(? in lower(body)) > 0))`,
      term,
      term,
    ],
  });
  const { text, values: all } = converted({ sql: list, values: [term, term, ...values] });
  const rows = await sql.unsafe<FoundRow[]>(text, all);
  const results = rows
    .slice(0, limit)
    .map((row) => ({ thread: summaryOfRow(row), snippet: snippetOf(row.found, term) ?? "" }));
  return { results, ...cursors(rows, limit, query) };
}

/** The part of a list's query that a search has not. */
const everything = {
  modelProviders: null,
  originators: null,
  cwds: null,
  parentThreadId: null,
  ancestorThreadId: null,
  excludedThreadIds: [],
};
