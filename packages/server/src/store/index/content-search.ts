import { runGently, TimeSlice } from "../../lib/time-slice.ts";
import { readThreadGently } from "../read-thread.ts";
import type { ThreadSearch } from "../thread-store.ts";
import { searchAmongStatement, searchStatement } from "./list-query.ts";
import type { ThreadRow } from "./rows.ts";
import { type Found, scanRows } from "./scan-rows.ts";
import { border, snippetOf } from "./snippet.ts";
import type { ThreadTable } from "./thread-table.ts";
import { stampOf, type ThreadText } from "./thread-texts.ts";
import { threadsWith } from "./threads-with.ts";

/** A thread in which the term was found. */
export interface Hit {
  readonly row: ThreadRow;
  readonly snippet: string;
}

/** A thread with its text, if that is known, and the state of the file that it was read from. */
interface TextRow extends Pick<ThreadRow, "id" | "name" | "size" | "mtime" | "created" | "updated"> {
  readonly stamp: string | null;
  readonly body: string | null;
}

/** The scope of a search. */
export interface SearchPlace {
  readonly home: string;
  readonly table: ThreadTable;
  /** Reads a file again if it has changed. */
  readonly recheck: (threadId: string) => Promise<void>;
}

/** Threads that are looked at before the search goes on. */
const maxCandidates = 50;
/** Maximum text of a thread that is kept for searching. */
const maxBody = 1_000_000;

/** Searches names and messages for a term until there are `limit` hits. Messages are kept in the index. */
export async function searchContent(place: SearchPlace, query: ThreadSearch, limit: number): Promise<Hit[]> {
  const term = query.term.toLowerCase();
  const hits = new Map<string, Hit>();
  const slice = new TimeSlice();
  const among = await threadsWith(place.table, { ...query, term }, slice);
  for (let cursor = query.cursor; hits.size < limit; ) {
    const at = { ...query, cursor };
    const statement = among ? searchAmongStatement(at, among) : searchStatement(at);
    const { ids, next } = candidates(place.table.each(statement), { ...query, term }, slice);
    const texts = new Texts(place);
    for (const id of ids) {
      const hit = await hitOf({ ...place, texts }, id, { ...query, term });
      if (hit) hits.set(hit.row.id, hit);
      if (hits.size === limit) break;
      if (slice.due) await slice.take();
    }
    await texts.keep();
    if (next === undefined) break;
    cursor = next;
    if (slice.due) await slice.take();
  }
  return [...hits.values()];
}

/** Threads that have the term, or whose text is not known yet: most are passed over without a look at their file. */
function candidates(rows: Iterable<TextRow>, query: ThreadSearch, slice: TimeSlice): Found {
  return scanRows(rows, {
    isWanted: (row) =>
      row.stamp !== stampOf(row) ||
      textOf(row.name, row.body ?? "")
        .toLowerCase()
        .includes(query.term),
    sortKey: query.sortKey,
    slice,
    most: maxCandidates,
  });
}

/** Looks at one thread as its file is now. */
async function hitOf(
  { table, recheck, texts }: SearchPlace & { readonly texts: Texts },
  id: string,
  query: ThreadSearch,
): Promise<Hit | undefined> {
  await recheck(id);
  const row = table.row(id);
  if (!row || (row.archived === 1) !== query.archived) return undefined;
  const snippet = snippetOf(textOf(row.name, await texts.of(row)), query.term);
  return snippet === undefined ? undefined : { row, snippet };
}

/** The texts of some threads; those that were read are kept all at once. */
class Texts {
  readonly #place: SearchPlace;
  readonly #read: ThreadText[] = [];

  constructor(place: SearchPlace) {
    this.#place = place;
  }

  async of(row: ThreadRow): Promise<string> {
    const known = this.#place.table.texts.body(row);
    if (known !== undefined) return known;
    const { id, size, mtime } = row;
    const body = await readBody(this.#place.home, row.path);
    this.#read.push({ id, size, mtime, body });
    return body;
  }

  async keep(): Promise<void> {
    if (this.#read.length > 0) await runGently(this.#place.table.texts.keep(this.#read));
  }
}

const textOf = (name: string | null, body: string): string => `${name ?? ""}${border}${body}`;

async function readBody(home: string, path: string): Promise<string> {
  try {
    const { record } = await readThreadGently(home, path);
    const items = record.turns.flatMap((turn) => turn.items);
    const said = items.flatMap((item) => {
      if (item.type === "agentMessage") return [item.text];
      if (item.type !== "userMessage") return [];
      return item.content.flatMap((input) => (input.type === "text" ? [input.text] : []));
    });
    return said.join(border).slice(0, maxBody);
  } catch {
    return "";
  }
}
