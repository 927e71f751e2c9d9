import type { TimeSlice } from "../../lib/time-slice.ts";
import type { ThreadSearch } from "../thread-store.ts";
import { unreadStatement } from "./list-query.ts";
import type { ThreadRow } from "./rows.ts";
import type { ThreadTable } from "./thread-table.ts";

/** Beyond that many threads, looking through all in their order finds a page sooner. */
const most = 1000;
/** Names to compare before yielding is due. */
const namesAtOnce = 500;

/**
 * The threads that may have the term of a search, given in small letters, in their name or text, among them those whose
 * text is not known yet. `undefined` when that is no small part of all.
 */
export async function threadsWith(
  table: ThreadTable,
  query: ThreadSearch,
  slice: TimeSlice,
): Promise<readonly string[] | undefined> {
  const { term } = query;
  const unread = [...table.each<Pick<ThreadRow, "id">>(unreadStatement(query, most + 1))].map(({ id }) => id);
  if (unread.length > most) return undefined;
  const matching = table.texts.matching(term, most);
  if (matching === undefined) return undefined;
  const found = new Set([...unread, ...matching]);
  for (let last: string | undefined = ""; last !== undefined && found.size <= most; ) {
    const names = table.namesAfter(last, namesAtOnce);
    for (const { id, name } of names) if (name.toLowerCase().includes(term)) found.add(id);
    last = names.at(-1)?.id;
    if (slice.due) await slice.take();
  }
  return found.size > most ? undefined : [...found];
}
