import type { RateLimitSnapshot } from "@quire/protocol";

/** Why something did not work. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** Tokens, as the status API counts them. */
interface Tokens {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
}

interface IssueRow {
  readonly issue_id: string;
  readonly issue_identifier: string;
  readonly issue_title: string;
  readonly issue_url: string | null;
  readonly state: string;
}

interface RunningRow extends IssueRow {
  readonly attempt: number;
  readonly phase: string;
  readonly workspace_path: string | null;
  readonly thread_id: string | null;
  readonly turn_count: number;
  readonly started_at: string;
  readonly last_event: string | null;
  readonly last_message: string;
  readonly last_event_at: string | null;
  readonly tokens: Tokens;
}

/** An issue that waits for its next run. */
interface RetryRow extends IssueRow {
  readonly attempt: number;
  readonly due_at: string;
  readonly error: string | null;
  readonly thread_id: string | null;
}

/** An issue that needs a person. */
interface BlockedRow extends IssueRow {
  readonly attempt: number;
  readonly since: string;
  readonly reason: Problem;
  readonly thread_id: string | null;
}

/** An issue that is done with. */
interface FinishedRow extends IssueRow {
  readonly outcome: string;
  readonly reason: string;
  readonly attempts: number;
  readonly turn_count: number;
  readonly finished_at: string;
  readonly tokens: Tokens;
  readonly thread_id: string | null;
  readonly error: Problem | null;
}

/** Response of `GET /api/v1/state`. */
export interface OrchestratorState {
  readonly generated_at: string;
  readonly workflow_path: string;
  readonly tracker_kind: string;
  readonly mode: "running" | "paused" | "draining";
  readonly max_concurrent_agents: number;
  readonly running: readonly RunningRow[];
  readonly retrying: readonly RetryRow[];
  readonly blocked: readonly BlockedRow[];
  readonly finished: readonly FinishedRow[];
  readonly codex_totals: Tokens & { readonly seconds_running: number };
  readonly rate_limits: RateLimitSnapshot | null;
  readonly health: {
    readonly workflow_error: Problem | null;
    readonly tracker_error: Problem | null;
    readonly last_tick_at: string | null;
    readonly next_tick_at: string | null;
  };
}

/** A line of an issue's timeline. */
export interface TimelineRow {
  readonly at: string;
  readonly event: string;
  readonly message: string;
  readonly name: string | null;
  /** In which of the issue's runs: 1 for the first. */
  readonly run: number;
}

/** Response of `GET /api/v1/<identifier>`. */
export interface IssueDetail {
  readonly issue_identifier: string;
  readonly status: "running" | "retrying" | "blocked" | "finished";
  readonly workspace: { readonly path: string } | null;
  readonly attempts: { readonly runs: number };
  readonly running: RunningRow | null;
  readonly retry: RetryRow | null;
  readonly blocked: BlockedRow | null;
  readonly finished: FinishedRow | null;
  readonly recent_events: readonly TimelineRow[];
  readonly last_error: Problem | null;
}
