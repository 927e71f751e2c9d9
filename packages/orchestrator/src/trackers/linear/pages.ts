import { TrackerError } from "../../tracker/tracker-error.ts";
import { asObject, type JsonObject, text } from "../records/normalize.ts";
import type { LinearClient } from "./client.ts";
import { issuesQuery, pageSize } from "./queries.ts";

/** Pages that are followed at most: 20,000 issues. A longer list is refused rather than cut. */
const maxPages = 400;

/** All issues that a filter lets through, in order: everything, or an error. */
export async function allPages(client: LinearClient, filter: JsonObject, signal?: AbortSignal): Promise<unknown[]> {
  const found: unknown[] = [];
  const seen = new Set<string>();
  let after: string | null = null;
  do {
    const data: JsonObject = await client.query({
      query: issuesQuery,
      variables: { filter, first: pageSize, after },
      signal,
    });
    const issues = asObject(data.issues);
    if (!Array.isArray(issues?.nodes)) throw new TrackerError("tracker_response", "Linear's response has no issues.");
    found.push(...issues.nodes);
    after = nextCursor(asObject(issues.pageInfo), seen);
  } while (after !== null);
  return found;
}

function nextCursor(pageInfo: JsonObject | undefined, seen: Set<string>): string | null {
  if (typeof pageInfo?.hasNextPage !== "boolean") throw paging("Linear's response has no pageInfo.");
  if (!pageInfo.hasNextPage) return null;
  const cursor = text(pageInfo.endCursor);
  if (cursor === null) throw paging("Linear announced more pages without a cursor.");
  if (seen.has(cursor)) throw paging("Linear's pages loop back to an earlier one.");
  if (seen.size + 1 >= maxPages) throw paging(`Linear has more than ${maxPages} pages of issues: narrow the scope.`);
  seen.add(cursor);
  return cursor;
}

const paging = (message: string) => new TrackerError("tracker_pagination", message);
