import { TimeSlice } from "../../lib/time-slice.ts";
import type { ThreadQuery } from "../thread-store.ts";
import { namesStatement } from "./list-query.ts";
import type { ThreadRow } from "./rows.ts";
import { type Found, scanRows } from "./scan-rows.ts";
import type { ThreadTable } from "./thread-table.ts";

/** The threads of a list whose name or preview has the term, at most `limit`. */
export async function searchNames(table: ThreadTable, query: ThreadQuery, limit: number): Promise<ThreadRow[]> {
  const term = query.searchTerm ?? "";
  const slice = new TimeSlice();
  const found = new Map<string, ThreadRow>();
  let cursor: string | null | undefined = query.cursor;
  while (cursor !== undefined && found.size < limit) {
    const { ids, next }: Found = scanRows(table.each<ThreadRow>(namesStatement({ ...query, cursor })), {
      isWanted: ({ name, preview }) => preview.includes(term) || name?.includes(term) === true,
      sortKey: query.sortKey,
      slice,
      most: limit - found.size,
    });
    for (const id of ids) {
      const row = table.row(id);
      if (row) found.set(id, row);
    }
    cursor = next;
    if (slice.due) await slice.take();
  }
  return [...found.values()];
}
