import type { Issue } from "../tracker/issue.ts";

/** The order in which issues are started: the most urgent, then the oldest, then by name. Sorts the same every time. */
export function sortIssues(issues: readonly Issue[]): Issue[] {
  const keyed = issues.map((issue) => ({ issue, urgency: urgencyOf(issue), created: createdAt(issue) }));
  keyed.sort(
    (a, b) => a.urgency - b.urgency || compare(a.created, b.created) || compare(a.issue.identifier, b.issue.identifier),
  );
  return keyed.map(({ issue }) => issue);
}

/** Priorities 1 to 4 count; all else comes after. */
function urgencyOf({ priority }: Issue): number {
  return priority !== null && Number.isInteger(priority) && priority >= 1 && priority <= 4 ? priority : 5;
}

/** Creation time for sorting; issues without a readable one come last. */
function createdAt({ createdAt: text }: Issue): number {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? Number.MAX_VALUE : time;
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
