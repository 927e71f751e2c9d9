import type { ActionResult, BoardAction, BoardQuery, Column } from "./board.ts";
import type { EventListener } from "./events.ts";
import type { IssueDiff } from "./issue-diff.ts";
import type { IssueDetail, Snapshot } from "./snapshot.ts";

/** The answer to {@link OrchestratorControl.refresh}. */
export interface RefreshReceipt {
  readonly queued: true;
  /** True if a poll of the tracker was already under way; it serves this request too. */
  readonly coalesced: boolean;
  readonly requestedAt: number;
  readonly operations: readonly ["poll", "reconcile"];
}

/** The result of an operator's command. */
export type CommandResult = "done" | "issue_not_found" | "not_applicable";

/** The orchestrator as the status API and the terminal see it. */
export interface OrchestratorControl {
  /** The state now. Throws a {@link SnapshotError} where there is none. */
  snapshot(): Snapshot;
  /** Finds an issue by its identifier or id; undefined if it is unknown. Throws like {@link snapshot}. */
  issue(identifier: string): IssueDetail | undefined;
  /** The part of the board that is asked for. Throws like {@link snapshot}. */
  board(query: BoardQuery): readonly Column[];
  /** Changes of an issue's branch as it was pushed last; undefined where there are none. Rejects like {@link snapshot}. */
  diff(identifier: string): Promise<IssueDiff | undefined>;
  /** Does what a person asked for; an error tells why not. */
  act(identifier: string, action: BoardAction): Promise<ActionResult>;
  /** Looks at the tracker soon. */
  refresh(): RefreshReceipt;
  /** Begins no new runs until {@link resume}; those that are under way continue. */
  pause(): void;
  resume(): void;
  /** Has an issue that waits or is blocked tried again at once. */
  retry(identifier: string): CommandResult;
  /** Ends an issue's run and keeps it blocked until {@link retry}; of one that waits, the same without a run. */
  stop(identifier: string): CommandResult;
  /** Subscribes to all events. Returns a function that unsubscribes. */
  subscribe(listener: EventListener): () => void;
}

/** Why there is no snapshot. */
export type SnapshotErrorCode = "timeout" | "unavailable";

/** There is no snapshot to be had: the orchestrator has not started, has ended, or does not answer. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
  readonly code: SnapshotErrorCode;

  constructor(code: SnapshotErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
