import { characterBoundary } from "../../lib/character-boundary.ts";
import { TimeSlice } from "../../lib/time-slice.ts";
import { readThreadGently } from "../read-thread.ts";
import type { ThreadSearch } from "../thread-store.ts";
import { writeCursor } from "./cursor.ts";
import { searchStatement, sortColumn } from "./list-query.ts";
import type { ThreadRow } from "./rows.ts";
import type { ThreadTable } from "./thread-table.ts";

/** A thread in which the term was found. */
export interface Hit {
  readonly row: ThreadRow;
  readonly snippet: string;
}

/** The scope of a search. */
export interface SearchPlace {
  readonly home: string;
  readonly table: ThreadTable;
  /** Reads changed files again; true when there were any. */
  readonly recheck: (rows: readonly ThreadRow[]) => boolean;
}

const chunkRows = 50;
/** Maximum text of a thread that is kept for searching. */
const maxBody = 1_000_000;
/** Separates two messages, so that a snippet does not cross them. */
const border = "\u001e";
/** Characters shown around a match. */
const before = 48;
const after = 96;

/** Searches names and messages for a term until there are `limit` hits. Messages are kept in the index. */
export async function searchContent(place: SearchPlace, query: ThreadSearch, limit: number): Promise<Hit[]> {
  const { table } = place;
  const term = query.term.toLowerCase();
  const hits: Hit[] = [];
  const slice = new TimeSlice();
  for (let cursor = query.cursor; hits.length < limit; ) {
    const statement = searchStatement({ ...query, cursor }, chunkRows);
    let rows = table.rows(statement);
    if (place.recheck(rows)) rows = table.rows(statement);
    for (const row of rows) {
      const snippet = find(`${row.name ?? ""}${border}${await bodyOf(place, row)}`, term);
      if (snippet !== undefined) hits.push({ row, snippet });
      if (hits.length === limit) break;
      if (slice.due) await slice.take();
    }
    const last = rows.at(-1);
    if (!last || rows.length < chunkRows) break;
    cursor = writeCursor({ ms: last[sortColumn(query.sortKey)], id: last.id });
  }
  return hits;
}

async function bodyOf({ home, table }: SearchPlace, row: ThreadRow): Promise<string> {
  const stamp = `${row.size}:${row.mtime}`;
  const known = table.body(row.id, stamp);
  if (known !== undefined) return known;
  const body = await readBody(home, row.path);
  table.putBody(row.id, stamp, body);
  return body;
}

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

/** The text around the first match, in one line. */
function find(body: string, term: string): string | undefined {
  const at = body.toLowerCase().indexOf(term);
  if (at === -1) return undefined;
  const first = body.lastIndexOf(border, at) + 1;
  const next = body.indexOf(border, at);
  const last = next === -1 ? body.length : next;
  const start = characterBoundary(body, Math.max(first, at - before));
  const end = characterBoundary(body, Math.min(last, at + term.length + after));
  const words = body.slice(start, end).replaceAll(/\s+/g, " ").trim();
  return `${start > first ? "... " : ""}${words}${end < last ? " ..." : ""}`;
}
