import type { RateLimitSnapshot } from "@quire/protocol";
import type { RunError } from "./run-error.ts";

/** Tokens, counted from the server's absolute totals. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/** Phase of a run. */
export type RunPhase =
  | "PreparingWorkspace"
  | "BuildingPrompt"
  | "LaunchingAgentProcess"
  | "InitializingSession"
  | "StreamingTurn"
  | "Finishing"
  | RunOutcome;

/** Outcome of a run. `Blocked`: it needs a person. `Stopped`: an operator, or the orchestrator's shutdown, ended it. */
export type RunOutcome =
  | "Succeeded"
  | "Failed"
  | "TimedOut"
  | "Stalled"
  | "CanceledByReconciliation"
  | "Blocked"
  | "Stopped";

/** Events of a session with the app-server. Phase changes and hooks of the run are reported apart from them. */
export type SessionEventKind =
  | "session_started"
  | "startup_failed"
  | "turn_started"
  | "turn_completed"
  | "turn_failed"
  | "turn_cancelled"
  | "turn_ended_with_error"
  | "turn_input_required"
  | "approval_auto_approved"
  | "approval_required"
  | "tool_call"
  | "unsupported_tool_call"
  | "notification"
  | "other_message"
  | "malformed";

/** An entry in a run's timeline. */
export interface TimelineEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: SessionEventKind | "phase" | "hook" | "error";
  /** For people, one line, at most 500 characters. */
  readonly message: string;
  /** Of a notification: its method. Of a hook: its name. Of a phase: the phase. */
  readonly name: string | null;
  /** In which of the issue's runs: 1 for the first. */
  readonly run: number;
}

/** The issue of an entry in the {@link Snapshot}. */
export interface IssueSummary {
  readonly issueId: string;
  readonly identifier: string;
  readonly title: string;
  readonly url: string | null;
  /** The issue's state, as last seen. */
  readonly state: string;
}

/** A run that is under way. */
export interface RunningRun extends IssueSummary {
  readonly priority: number | null;
  readonly runId: string;
  /** 0 for the first. */
  readonly attempt: number;
  readonly phase: RunPhase;
  readonly workspace: string | null;
  /** Null for this machine. */
  readonly host: string | null;
  readonly threadId: string | null;
  readonly turnId: string | null;
  /** `<thread>-<turn>`. */
  readonly sessionId: string | null;
  /** Process of the app-server. */
  readonly pid: number | null;
  readonly turnCount: number;
  readonly startedAt: number;
  readonly lastEvent: TimelineEntry | null;
  readonly lastEventAt: number | null;
  readonly tokens: TokenCounts;
}

/** An issue that waits for its next run. */
export interface RetryEntry extends IssueSummary {
  readonly attempt: number;
  readonly dueAt: number;
  /** Why the last run did not do; null where it did and the issue is still active. */
  readonly error: string | null;
  readonly workspace: string | null;
  /** The last run's. */
  readonly threadId: string | null;
}

/** An issue that needs a person before it can continue. */
export interface BlockedEntry extends IssueSummary {
  readonly attempt: number;
  readonly since: number;
  readonly reason: RunError;
  readonly workspace: string | null;
  /** The last run's. */
  readonly threadId: string | null;
  readonly sessionId: string | null;
}

/** An issue in an active state that is not worked on yet. */
export interface WaitingEntry extends IssueSummary {
  /** Why not: `no free slot`, `waits for APP-7`, `it has no label "agent"`, … */
  readonly reason: string;
}

/** An issue that the orchestrator is done with, as far as it knows. */
export interface FinishedIssue extends IssueSummary {
  /** Outcome of its last run. */
  readonly outcome: RunOutcome;
  /** Why it was released: `terminal`, `inactive`, `missing`, `changed`, `still_active` or `gave_up`. */
  readonly reason: string;
  readonly attempts: number;
  readonly turnCount: number;
  readonly at: number;
  readonly tokens: TokenCounts;
  readonly threadId: string | null;
  /** Null where it is gone. That of an issue that is over stays where it holds work that is nowhere else. */
  readonly workspace: string | null;
  /** Host of the workspace; null or nothing for this machine. */
  readonly host?: string | null | undefined;
  readonly error: RunError | null;
}

/** Tokens and time of all runs of the workflow, those under way and those of earlier orchestrators included. */
export interface Totals extends TokenCounts {
  readonly secondsRunning: number;
}

/** Health of the workflow and the tracker. */
export interface Health {
  /** Why the workflow file in its present form is not used; the last good one is. */
  readonly workflowError: RunError | null;
  /** Why the last look at the tracker failed. */
  readonly trackerError: RunError | null;
  /** Why nothing more begins today. */
  readonly budgetError: RunError | null;
  readonly lastTickAt: number | null;
  readonly nextTickAt: number | null;
}

/** A host that runs go to, and how it is. */
export interface HostState {
  readonly host: string;
  readonly running: number;
  /** Why nothing begins there; null where it is well. */
  readonly lost: string | null;
}

/** Everything about the orchestrator at one moment. */
export interface Snapshot {
  readonly generatedAt: number;
  readonly startedAt: number;
  readonly workflowPath: string;
  readonly trackerKind: string;
  /** `draining`: what runs is brought to an end, nothing new begins. */
  readonly mode: "running" | "paused" | "draining";
  readonly pollIntervalMs: number;
  readonly maxConcurrentAgents: number;
  /** Other machines that runs go to; none where all is on this one. */
  readonly hosts: readonly HostState[];
  readonly running: readonly RunningRun[];
  readonly retrying: readonly RetryEntry[];
  readonly blocked: readonly BlockedEntry[];
  /** Newest first, at most 200. */
  readonly finished: readonly FinishedIssue[];
  /** Number of all finished issues. */
  readonly finishedCount: number;
  /** Active issues that no run has taken yet, the next first, at most 200. */
  readonly waiting: readonly WaitingEntry[];
  /** Number of all issues that wait. */
  readonly waitingCount: number;
  readonly totals: Totals;
  /** Last values reported by the app-server. */
  readonly rateLimits: RateLimitSnapshot | null;
  readonly health: Health;
}

/** Delivery of an issue's work. */
export interface DeliveryEntry {
  readonly branch: string;
  /** Commit that was pushed last. */
  readonly commit: string | null;
  readonly pullUrl: string | null;
  readonly state: "pending" | "open" | "merged" | "closed";
  readonly checks: "none" | "pending" | "passed" | "failed";
  readonly review: "none" | "approved" | "changes_requested";
  /** True if a person approved this commit on the board. */
  readonly approved: boolean;
  /** Why it is not delivered yet. */
  readonly error: RunError | null;
}

/** All that is known of one issue. */
export interface IssueDetail {
  readonly issueId: string;
  readonly identifier: string;
  readonly status: "waiting" | "running" | "retrying" | "blocked" | "finished";
  readonly workspace: string | null;
  /** Of an issue that no run has taken yet. */
  readonly waiting: WaitingEntry | null;
  readonly running: RunningRun | null;
  readonly retry: RetryEntry | null;
  readonly blocked: BlockedEntry | null;
  readonly finished: FinishedIssue | null;
  readonly delivery: DeliveryEntry | null;
  /** Number of runs started for it. */
  readonly runs: number;
  /** Of all rounds so far. */
  readonly turns: number;
  readonly tokens: TokenCounts;
  /** US dollars; null where nobody knows the prices. */
  readonly usd: number | null;
  readonly lastError: RunError | null;
  /** Timeline of its runs, oldest first; the last 200 entries. */
  readonly timeline: readonly TimelineEntry[];
}
