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

/** Columns of the board, from left to right. */
export const columnNames = ["waiting", "running", "retrying", "blocked", "review", "finished"] as const;

/** Column of the board. */
export type ColumnName = (typeof columnNames)[number];

/** An issue on the board. */
export interface Card {
  readonly issue_id: string;
  readonly issue_identifier: string;
  readonly issue_title: string;
  readonly state: string;
  readonly priority: number | null;
  readonly column: ColumnName;
  /** Of a waiting issue that can begin: its place, or 0 where places are counted here. */
  readonly position: number | null;
  readonly reason: string | null;
  readonly runs: number;
  readonly turns: number;
  readonly tokens: number;
  readonly usd: number | null;
  readonly host: string | null;
  readonly pull_url: string | null;
  readonly checks: "none" | "pending" | "passed" | "failed";
  readonly review: "none" | "approved" | "changes_requested";
  readonly since: string | null;
}

/** The orchestrator without its issues. */
export interface Summary {
  readonly workflow_path: string;
  readonly tracker_kind: string;
  readonly mode: "running" | "paused" | "draining";
  readonly max_concurrent_agents: number;
  readonly counts: { readonly running: number };
  readonly codex_totals: Tokens & { readonly seconds_running: number };
  readonly rate_limits: RateLimitSnapshot | null;
  readonly health: {
    readonly workflow_error: Problem | null;
    readonly tracker_error: Problem | null;
    readonly budget_error: Problem | null;
    readonly last_tick_at: string | null;
    readonly next_tick_at: string | null;
  };
}

/** Changes of a column. */
export interface ColumnChange {
  readonly name: ColumnName;
  readonly count: number;
  /** New cards, and those that are different now. */
  readonly cards: readonly Card[];
  readonly move?: {
    readonly order?: readonly string[];
    readonly gone?: readonly string[];
    readonly came?: readonly (readonly [index: number, id: string])[];
  };
}

/** Data of the events `board` and `changes`. */
export interface BoardChange {
  readonly summary?: Summary;
  readonly columns: readonly ColumnChange[];
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

/** Fields of an issue, whatever becomes of it. */
export interface IssueRow {
  readonly issue_title: string;
  readonly issue_url: string | null;
  readonly state: string;
  readonly thread_id?: string | null;
  readonly host?: string | null;
}

/** Delivery of an issue's work. */
interface DeliveryRow {
  readonly branch: string;
  readonly commit: string | null;
  readonly pull_url: string | null;
  readonly state: "pending" | "open" | "merged" | "closed";
  readonly checks: Card["checks"];
  readonly review: Card["review"];
  /** True if a person approved this commit on the board. */
  readonly approved: boolean;
  readonly error: Problem | null;
}

/** Response of `GET /api/v1/<identifier>`. */
export interface IssueDetail {
  readonly issue_identifier: string;
  readonly status: "waiting" | "running" | "retrying" | "blocked" | "finished";
  readonly workspace: { readonly path: string } | null;
  readonly attempts: { readonly runs: number };
  readonly waiting: (IssueRow & { readonly reason: string }) | null;
  readonly running: IssueRow | null;
  readonly retry: IssueRow | null;
  readonly blocked: (IssueRow & { readonly reason: Problem }) | null;
  readonly finished: IssueRow | null;
  readonly cost: Tokens & { readonly turns: number; readonly usd: number | null };
  readonly delivery: DeliveryRow | null;
  readonly recent_events: readonly TimelineRow[];
  readonly last_error: Problem | null;
}

/** Response of `GET /api/v1/issues/<identifier>/diff`. */
export interface IssueDiff {
  readonly diff: string;
  /** True if the diff is longer. */
  readonly is_cut: boolean;
}
