/** An issue that must be finished before another can start. Fields that the tracker does not provide are null. */
export interface BlockingIssue {
  readonly id: string | null;
  readonly identifier: string | null;
  readonly state: string | null;
}

/** A piece of work, in the same form for every tracker. Fields that the tracker does not provide are null. */
export interface Issue {
  /** Stable and opaque: the orchestrator identifies the issue by it. */
  readonly id: string;
  /** JSON that the tracker needs to find the issue again; never a secret. */
  readonly nativeRef: unknown;
  /** Name that people use, such as `MT-123`; unique within the tracker's scope. */
  readonly identifier: string;
  readonly title: string;
  readonly description: string | null;
  /** 1 is the most urgent, 4 the least; all else comes after. */
  readonly priority: number | null;
  /** As the tracker spells it; compare by {@link isStateIn}. */
  readonly state: string;
  readonly branchName: string | null;
  readonly url: string | null;
  readonly assigneeId: string | null;
  /** Lower case. */
  readonly labels: readonly string[];
  readonly blockedBy: readonly BlockingIssue[];
  /** True if the tracker's own rules (assignee, blockers, …) allow work on it. */
  readonly dispatchable: boolean;
  /** ISO 8601. */
  readonly createdAt: string | null;
  /** ISO 8601. */
  readonly updatedAt: string | null;
}

/** A state's name as it is compared. */
export function normalState(state: string): string {
  return state.trim().toLowerCase();
}

/** Looks for a state among others, ignoring case and surrounding blanks. */
export function isStateIn(state: string, states: readonly string[]): boolean {
  const wanted = normalState(state);
  return states.some((one) => normalState(one) === wanted);
}

/** The issue under the names that templates and JSON use. */
export function toWireIssue(issue: Issue): Record<string, unknown> {
  return {
    id: issue.id,
    native_ref: issue.nativeRef,
    identifier: issue.identifier,
    title: issue.title,
    description: issue.description,
    priority: issue.priority,
    state: issue.state,
    branch_name: issue.branchName,
    url: issue.url,
    assignee_id: issue.assigneeId,
    labels: [...issue.labels],
    blocked_by: issue.blockedBy.map(({ id, identifier, state }) => ({ id, identifier, state })),
    dispatchable: issue.dispatchable,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
  };
}
