import type { RunError } from "../events/run-error.ts";
import type { RunOutcome, TokenCounts } from "../events/snapshot.ts";
import type { Issue } from "../tracker/issue.ts";

/** Fields that every claim has. */
interface ClaimBase {
  /** As last seen. */
  readonly issue: Issue;
  /** 0 for the first run; counts the failures since the last good one. */
  readonly attempt: number;
  /** Runs so far. */
  readonly runs: number;
  readonly turns: number;
  readonly tokens: TokenCounts;
  readonly workspace: string | null;
  /** Host that the workspace is on; null or nothing for this machine. */
  readonly host?: string | null | undefined;
  readonly threadId: string | null;
  readonly lastOutcome: RunOutcome | null;
  readonly lastError: RunError | null;
  /** Words of a person for its agent, until a run with them has ended well. */
  readonly answer?: string | null | undefined;
}

/** Last saved progress of a run; all that is known of it after a crash. */
interface RunProgress {
  readonly turns: number;
  readonly tokens: TokenCounts;
  readonly threadId: string | null;
  readonly seconds: number;
}

/** An issue with a run under way. */
export interface RunningClaim extends ClaimBase {
  readonly status: "running";
  /** Also the mark in the environment of all its processes. */
  readonly runId: string;
  readonly startedAt: number;
  /** The app-server's process and when the system started it, to recognise a later process with the same number. */
  readonly pid: number | null;
  readonly pidStartedAt: string | null;
  readonly progress: RunProgress | null;
}

/** An issue that waits for its next run. */
export interface RetryClaim extends ClaimBase {
  readonly status: "retrying";
  readonly dueAt: number;
  readonly error: string | null;
  /** True if it only waits for another run to end. */
  readonly needsSlot: boolean;
}

/** An issue that waits for a person. */
export interface BlockedClaim extends ClaimBase {
  readonly status: "blocked";
  readonly since: number;
  readonly reason: RunError;
  readonly sessionId: string | null;
}

/** An issue that the orchestrator has taken on. */
export type Claim = RunningClaim | RetryClaim | BlockedClaim;
