import type { ThreadSourceKind } from "@quire/protocol";
import type { ThreadQuery, ThreadSearch } from "../thread-store.ts";
import { readCursor } from "./cursor.ts";

/** A statement and its values. */
export interface Statement {
  readonly sql: string;
  readonly values: (string | number)[];
}

/** Default sources in lists: clients with a person in front. */
const interactive = ["cli", "vscode", "custom"];
const subAgents = ["subAgentReview", "subAgentCompact", "subAgentThreadSpawn", "subAgentOther"];

/** The column that a sort key means. A thread's recency is the time of its last turn, which `updated` is too. */
export function sortColumn(sortKey: ThreadQuery["sortKey"]): "created" | "updated" {
  return sortKey === "created_at" ? "created" : "updated";
}

/** Variations of a list's statement. */
export interface ListParts {
  /** Default: all. */
  readonly columns?: string;
  /** A further condition, with its values. */
  readonly also?: readonly [sql: string, ...values: string[]] | undefined;
}

/** The statement for one page, and one row more to see whether there is another. */
export function listStatement(query: ThreadQuery, limit: number, { columns = "*", also }: ListParts = {}): Statement {
  const where = listed(query);
  if (also) where.add(...also);
  const order = ordered(where, query);
  return {
    sql: `SELECT ${columns} FROM threads WHERE ${where.sql} ${order} LIMIT ?`,
    values: [...where.values, limit],
  };
}

/** The statement for the threads among which a list searches names and previews. */
export function namesStatement(query: ThreadQuery): Statement {
  const where = listed(query);
  const order = ordered(where, query);
  const columns = "id, name, preview, created, updated";
  return { sql: `SELECT ${columns} FROM threads WHERE ${where.sql} ${order}`, values: where.values };
}

function listed(query: ThreadQuery): Conditions {
  const where = new Conditions();
  common(where, query);
  where.oneOf("provider", query.modelProviders);
  where.oneOf("originator", query.originators);
  if (query.cwds) where.oneOf("cwd", query.cwds.map(withoutSlash), true);
  if (query.parentThreadId !== null) where.add("parent = ?", query.parentThreadId);
  if (query.ancestorThreadId !== null) where.add(`id IN (${descendants})`, query.ancestorThreadId);
  const excluded = query.excludedThreadIds;
  if (excluded.length > 0) where.add(`id NOT IN (SELECT value FROM json_each(?))`, JSON.stringify(excluded));
  if (query.threadIds) where.add("id IN (SELECT value FROM json_each(?))", JSON.stringify(query.threadIds));
  return where;
}

/** The statement for all threads to look through, with their texts; the search itself is not SQLite's. */
export function searchStatement(query: ThreadSearch): Statement {
  const { where, order } = searched(query);
  const columns = "id, name, size, mtime, created, updated, stamp, body";
  const texts = "LEFT JOIN texts ON thread = id AND stamp != ''";
  return { sql: `SELECT ${columns} FROM threads ${texts} WHERE ${where.sql} ${order}`, values: where.values };
}

/** The statement for some threads to look at, without their texts: SQLite sorts them, in memory. */
export function searchAmongStatement(query: ThreadSearch, ids: readonly string[]): Statement {
  const { where, order } = searched(query);
  const columns = "id, name, size, mtime, created, updated, NULL AS stamp, NULL AS body";
  // A cross join has these few looked up, instead of all rows read for the sake of their order.
  const wanted = "(SELECT value AS wanted FROM json_each(?)) CROSS JOIN threads ON id = wanted";
  const values = [JSON.stringify(ids), ...where.values];
  return { sql: `SELECT ${columns} FROM ${wanted} WHERE ${where.sql} ${order}`, values };
}

/** The statement for threads of a search whose text is not known yet. */
export function unreadStatement(query: ThreadSearch, limit: number): Statement {
  const { where } = searched({ ...query, cursor: null });
  // By that index, which is mostly empty.
  const sql = `SELECT id FROM threads INDEXED BY unread WHERE searchable = 0 AND ${where.sql} LIMIT ?`;
  return { sql, values: [...where.values, limit] };
}

function searched(query: ThreadSearch): { readonly where: Conditions; readonly order: string } {
  const where = new Conditions();
  common(where, { ...query, parentThreadId: null, ancestorThreadId: null });
  return { where, order: ordered(where, query) };
}

const descendants = `
  WITH RECURSIVE below (id) AS (
    SELECT id FROM threads WHERE parent = ? UNION SELECT t.id FROM threads t JOIN below ON t.parent = below.id
  ) SELECT id FROM below`;

interface Scope {
  readonly silent?: boolean | undefined;
  readonly archived: boolean;
  readonly sourceKinds: readonly ThreadSourceKind[] | null;
  readonly parentThreadId: string | null;
  readonly ancestorThreadId: string | null;
}

function common(where: Conditions, scope: Scope): void {
  // Not a parameter, so that indexes of archived threads are used.
  where.add(`archived = ${scope.archived ? 1 : 0}`);
  // An archived thread without messages must stay findable.
  if (!scope.archived && !scope.silent) where.add("listed = 1");
  const asked = scope.sourceKinds ?? [];
  const withinTree = scope.parentThreadId !== null || scope.ancestorThreadId !== null;
  if (asked.length > 0) where.oneOf("kind", asked.flatMap(kindsOf));
  else if (!withinTree) where.oneOf("kind", interactive);
}

function kindsOf(kind: ThreadSourceKind): string[] {
  if (kind === "subAgent") return subAgents;
  return kind === "unknown" ? ["unknown", "custom"] : [kind];
}

/** Begins after the query's cursor; returns the order. */
function ordered(where: Conditions, query: ThreadQuery | ThreadSearch): string {
  const column = sortColumn(query.sortKey);
  const [before, direction] = query.sortDirection === "asc" ? [">", "ASC"] : ["<", "DESC"];
  if (query.cursor !== null) {
    const { ms, id } = readCursor(query.cursor);
    where.add(`(${column}, id) ${before} (?, ?)`, ms, id);
  }
  return `ORDER BY ${column} ${direction}, id ${direction}`;
}

class Conditions {
  readonly #parts: string[] = [];
  readonly values: (string | number)[] = [];

  get sql(): string {
    return this.#parts.join(" AND ");
  }

  add(sql: string, ...values: (string | number)[]): void {
    this.#parts.push(sql);
    this.values.push(...values);
  }

  /** No list, or an empty one unless `strict`, allows anything. */
  oneOf(column: string, allowed: readonly string[] | null, strict = false): void {
    if (allowed === null || (allowed.length === 0 && !strict)) return;
    if (allowed.length === 0) {
      this.add("1 = 0");
      return;
    }
    const marks = allowed.map(() => "?").join(", ");
    this.add(`${column} IN (${marks})`, ...allowed);
  }
}

const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);
