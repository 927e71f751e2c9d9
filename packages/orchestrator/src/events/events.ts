import type { RunError } from "./run-error.ts";
import type { FinishedIssue, RunOutcome, TimelineEntry } from "./snapshot.ts";

/** Severity of a log line. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Structured fields of a log line: `issue_id`, `issue_identifier`, `session_id` and more. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes a line to the log. */
export type Logger = (level: LogLevel, message: string, fields?: LogFields) => void;

/** The run that an event belongs to. */
export interface RunRef {
  readonly issueId: string;
  readonly identifier: string;
  /** Unique for each attempt. */
  readonly runId: string;
}

/** An event for listeners: the terminal, the status API, tests. Times are ms since 1970. */
export type OrchestratorEvent =
  /** A line of the log. */
  | {
      readonly type: "log";
      readonly at: number;
      readonly level: LogLevel;
      readonly message: string;
      readonly fields: LogFields;
    }
  /** A run has started. */
  | ({ readonly type: "run.started"; readonly at: number; readonly title: string; readonly attempt: number } & RunRef)
  /** Something happened in a run. */
  | ({ readonly type: "run.event"; readonly at: number; readonly entry: TimelineEntry } & RunRef)
  /** A run is over. */
  | ({
      readonly type: "run.ended";
      readonly at: number;
      readonly outcome: RunOutcome;
      readonly error: RunError | null;
    } & RunRef)
  /** An issue is to be tried again. */
  | {
      readonly type: "retry.scheduled";
      readonly at: number;
      readonly issueId: string;
      readonly identifier: string;
      readonly attempt: number;
      readonly dueAt: number;
      readonly error: string | null;
    }
  /** An issue needs a person. */
  | {
      readonly type: "issue.blocked";
      readonly at: number;
      readonly issueId: string;
      readonly identifier: string;
      readonly title: string;
      readonly url: string | null;
      readonly reason: RunError;
    }
  /** The work on an issue has a pull request, or something became of that. */
  | {
      readonly type: "issue.delivered";
      readonly at: number;
      readonly issueId: string;
      readonly identifier: string;
      readonly title: string;
      readonly url: string | null;
      readonly branch: string;
      readonly pullUrl: string | null;
      readonly state: "pending" | "open" | "merged" | "closed";
    }
  /** Nothing new begins until a person resumes, because too many runs failed the same way. */
  | { readonly type: "paused"; readonly at: number; readonly reason: string }
  /** The orchestrator has released an issue. */
  | { readonly type: "issue.finished"; readonly at: number; readonly issue: FinishedIssue }
  /** The workflow file was read again. `error` is null where the new one is in use. */
  | { readonly type: "workflow.reloaded"; readonly at: number; readonly error: RunError | null }
  /** A look at the tracker is over. `error` tells why nothing was dispatched. */
  | { readonly type: "tick"; readonly at: number; readonly dispatched: number; readonly error: RunError | null }
  /** The state changed in some way: take a new snapshot. Follows every event but `log`, at most once per task. */
  | { readonly type: "changed"; readonly at: number };

/** Hears events. What it throws is ignored. */
export type EventListener = (event: OrchestratorEvent) => void;
