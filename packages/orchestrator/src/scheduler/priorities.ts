import type { ClaimStore } from "../state/claims.ts";
import type { Issue } from "../tracker/issue.ts";
import { sortIssues } from "./sort-issues.ts";

/** Priorities that are kept; the oldest go first. */
const maxKept = 10_000;

/** Priorities that a person gave on the board, which count more than the tracker's. */
export class Priorities {
  readonly #store: ClaimStore;
  readonly #known: Map<string, number>;

  constructor(store: ClaimStore) {
    this.#store = store;
    this.#known = new Map(store.priorities());
  }

  /** @param priority Null gives the tracker's own back. */
  set(issueId: string, priority: number | null): void {
    this.#known.delete(issueId);
    if (priority !== null) this.#known.set(issueId, priority);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKept && oldest !== undefined) this.#known.delete(oldest);
    this.#store.setPriorities([...this.#known]);
  }

  /** The issues with their priorities, in the order in which they begin. */
  ranked(issues: readonly Issue[]): Issue[] {
    if (this.#known.size === 0) return sortIssues(issues);
    return sortIssues(issues.map((issue) => ({ ...issue, priority: this.#known.get(issue.id) ?? issue.priority })));
  }
}
