import type { TimeSlice } from "../../lib/time-slice.ts";
import type { ThreadQuery } from "../thread-store.ts";
import { writeCursor } from "./cursor.ts";
import { sortColumn } from "./list-query.ts";
import type { ThreadRow } from "./rows.ts";

/** Some of the rows that are wanted, and where to go on; without that, they were the last. */
export interface Found {
  readonly ids: readonly string[];
  readonly next: string | undefined;
}

/** Options of {@link scanRows}. */
export interface Scan<Row> {
  readonly isWanted: (row: Row) => boolean;
  readonly sortKey: ThreadQuery["sortKey"];
  readonly slice: TimeSlice;
  /** Stops after so many. */
  readonly most: number;
}

/** Looks through sorted rows until enough are found or the time is up: there may be a hundred thousand. */
export function scanRows<Row extends Pick<ThreadRow, "id" | "created" | "updated">>(
  rows: Iterable<Row>,
  { isWanted, sortKey, slice, most }: Scan<Row>,
): Found {
  const ids: string[] = [];
  for (const row of rows) {
    if (isWanted(row)) ids.push(row.id);
    if (ids.length < most && !slice.due) continue;
    return { ids, next: writeCursor({ ms: row[sortColumn(sortKey)], id: row.id }) };
  }
  return { ids, next: undefined };
}
