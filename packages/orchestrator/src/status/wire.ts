import type {
  BlockedEntry,
  DeliveryEntry,
  FinishedIssue,
  IssueDetail,
  IssueSummary,
  RetryEntry,
  RunningRun,
  Snapshot,
  TimelineEntry,
  TokenCounts,
} from "../events/snapshot.ts";

/** A value of the status API. */
export type WireObject = Readonly<Record<string, unknown>>;

/** Response body of `GET /api/v1/state`. */
export function stateToWire(snapshot: Snapshot): WireObject {
  const { running, retrying, blocked, finished, totals, health } = snapshot;
  return {
    generated_at: instant(snapshot.generatedAt),
    started_at: instant(snapshot.startedAt),
    workflow_path: snapshot.workflowPath,
    tracker_kind: snapshot.trackerKind,
    mode: snapshot.mode,
    poll_interval_ms: snapshot.pollIntervalMs,
    max_concurrent_agents: snapshot.maxConcurrentAgents,
    counts: {
      running: running.length,
      retrying: retrying.length,
      blocked: blocked.length,
      finished: snapshot.finishedCount,
      waiting: snapshot.waitingCount,
    },
    hosts: snapshot.hosts,
    running: running.map(runToWire),
    retrying: retrying.map(retryToWire),
    blocked: blocked.map(blockedToWire),
    finished: finished.map(finishedToWire),
    waiting: snapshot.waiting.map((entry) => ({ ...named(entry), reason: entry.reason })),
    codex_totals: { ...tokens(totals), seconds_running: Math.round(totals.secondsRunning * 10) / 10 },
    rate_limits: snapshot.rateLimits,
    health: {
      workflow_error: health.workflowError,
      tracker_error: health.trackerError,
      budget_error: health.budgetError,
      last_tick_at: instant(health.lastTickAt),
      next_tick_at: instant(health.nextTickAt),
    },
  };
}

/** Response body of `GET /api/v1/<identifier>`. */
export function issueToWire(detail: IssueDetail): WireObject {
  const { waiting, running, retry, blocked, finished, runs } = detail;
  const current = running?.attempt ?? retry?.attempt ?? blocked?.attempt ?? null;
  return {
    issue_identifier: detail.identifier,
    issue_id: detail.issueId,
    status: detail.status,
    workspace: detail.workspace === null ? null : { path: detail.workspace },
    attempts: { restart_count: Math.max(runs - 1, 0), current_retry_attempt: current, runs },
    waiting: waiting && { ...named(waiting), reason: waiting.reason },
    running: running && runToWire(running),
    retry: retry && retryToWire(retry),
    blocked: blocked && blockedToWire(blocked),
    finished: finished && finishedToWire(finished),
    cost: { turns: detail.turns, ...tokens(detail.tokens), usd: detail.usd },
    delivery: detail.delivery && deliveryToWire(detail.delivery),
    recent_events: detail.timeline.map(entryToWire),
    last_error: detail.lastError,
  };
}

function deliveryToWire({ pullUrl, ...delivery }: DeliveryEntry): WireObject {
  return { ...delivery, pull_url: pullUrl, diff_url: diffUrl(pullUrl) };
}

/** Page of a pull request's changes, where its forge has one. */
function diffUrl(pull: string | null): string | null {
  if (pull === null || !pull.startsWith("http")) return null;
  if (/\/pull\/\d+$/.test(pull)) return `${pull}/files`;
  return /\/merge_requests\/\d+$/.test(pull) ? `${pull}/diffs` : null;
}

/** An instant as it is written, or null. */
export function instant(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function runToWire(run: RunningRun): WireObject {
  return {
    ...named(run),
    priority: run.priority,
    run_id: run.runId,
    attempt: run.attempt,
    phase: run.phase,
    workspace_path: run.workspace,
    host: run.host,
    thread_id: run.threadId,
    turn_id: run.turnId,
    session_id: run.sessionId,
    pid: run.pid,
    turn_count: run.turnCount,
    started_at: instant(run.startedAt),
    last_event: run.lastEvent?.kind ?? null,
    last_message: run.lastEvent?.message ?? "",
    last_event_at: instant(run.lastEventAt),
    tokens: tokens(run.tokens),
  };
}

function retryToWire(entry: RetryEntry): WireObject {
  return {
    ...named(entry),
    attempt: entry.attempt,
    due_at: instant(entry.dueAt),
    error: entry.error,
    workspace_path: entry.workspace,
    thread_id: entry.threadId,
  };
}

function blockedToWire(entry: BlockedEntry): WireObject {
  return {
    ...named(entry),
    attempt: entry.attempt,
    since: instant(entry.since),
    reason: entry.reason,
    workspace_path: entry.workspace,
    thread_id: entry.threadId,
    session_id: entry.sessionId,
  };
}

function finishedToWire(issue: FinishedIssue): WireObject {
  return {
    ...named(issue),
    outcome: issue.outcome,
    reason: issue.reason,
    attempts: issue.attempts,
    turn_count: issue.turnCount,
    finished_at: instant(issue.at),
    tokens: tokens(issue.tokens),
    thread_id: issue.threadId,
    workspace_path: issue.workspace,
    error: issue.error,
  };
}

function entryToWire({ at, kind, message, name, run }: TimelineEntry): WireObject {
  return { at: instant(at), event: kind, message, name, run };
}

function named({ issueId, identifier, title, url, state }: IssueSummary): WireObject {
  return { issue_id: issueId, issue_identifier: identifier, issue_title: title, issue_url: url, state };
}

function tokens({ inputTokens, outputTokens, totalTokens }: TokenCounts): WireObject {
  return { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens };
}
