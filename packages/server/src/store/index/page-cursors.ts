import type { ThreadPage, ThreadQuery, ThreadSearch } from "../thread-store.ts";
import { writeCursor } from "./cursor.ts";
import { sortColumn } from "./list-query.ts";
import type { ThreadRow } from "./rows.ts";

/** The cursors of a page, from its rows and one more if there is another page. */
export function cursors(
  rows: readonly ThreadRow[],
  limit: number,
  query: ThreadQuery | ThreadSearch,
): Pick<ThreadPage, "nextCursor" | "backwardsCursor"> {
  const column = sortColumn(query.sortKey);
  const at = (row: ThreadRow | undefined) => (row ? writeCursor({ ms: row[column], id: row.id }) : null);
  return { nextCursor: rows.length > limit ? at(rows[limit - 1]) : null, backwardsCursor: at(rows[0]) };
}
