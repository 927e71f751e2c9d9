export { draftWorkflow, type WorkflowAnswers } from "./deliver/draft-workflow.ts";
export { type DryRun, type DryRunIssue, dryRun } from "./dry-run.ts";
export {
  type CommandResult,
  type OrchestratorControl,
  type RefreshReceipt,
  SnapshotError,
  type SnapshotErrorCode,
} from "./events/control.ts";
export { EventBus } from "./events/event-bus.ts";
export type { EventListener, LogFields, Logger, LogLevel, OrchestratorEvent, RunRef } from "./events/events.ts";
export type { RunError } from "./events/run-error.ts";
export type {
  BlockedEntry,
  DeliveryEntry,
  FinishedIssue,
  Health,
  IssueDetail,
  IssueSummary,
  RetryEntry,
  RunningRun,
  RunOutcome,
  RunPhase,
  SessionEventKind,
  Snapshot,
  TimelineEntry,
  TokenCounts,
  Totals,
  WaitingEntry,
} from "./events/snapshot.ts";
export type { Clock } from "./lib/clock.ts";
export { readTokenFile } from "./lib/token-file.ts";
export type { LogSink } from "./log/log-sinks.ts";
export { Orchestrator, type OrchestratorOptions } from "./orchestrator.ts";
export { SessionError, type SessionErrorCode } from "./session/session-error.ts";
export { LockedError } from "./state/state-errors.ts";
export { type OwnStatusOptions, type OwnStatusServer, serveOwnStatus } from "./status/own-status.ts";
export { type StatusServer, type StatusServerOptions, serveStatus } from "./status/status-server.ts";
export type { Display, TerminalOutput } from "./terminal/live-table.ts";
export { type ProgressOutputs, type StatusAddress, showProgress } from "./terminal/show-progress.ts";
export type { AdapterContext, TrackerAdapter, TrackerAdapters, TrackerConfig } from "./tracker/adapter.ts";
export type { AdapterProfile } from "./tracker/adapter-profile.ts";
export type { BlockingIssue, Issue } from "./tracker/issue.ts";
export type { ToolSession, Tracker, TrackerCall } from "./tracker/tracker.ts";
export { TrackerError, type TrackerErrorCode, type TrackerErrorDetails } from "./tracker/tracker-error.ts";
export { trackerAdapters } from "./trackers/adapters.ts";
export type { SettingChange } from "./workflow/agreement.ts";
export type { AgentConfig, CodexConfig, HooksConfig, WorkflowConfig } from "./workflow/config.ts";
export { type AgreementOptions, type AgreementPreview, previewAgreement } from "./workflow/preview-agreement.ts";
export { WorkflowError, type WorkflowErrorCode } from "./workflow/workflow-error.ts";
export { inspectRepository, type RepositoryFacts } from "./workspace/inspect-repository.ts";
export { git as safeGit } from "./workspace/safe-git.ts";
export { addWorktree, removeWorktree, type WorktreeOptions } from "./workspace/worktree.ts";
