import type { Delivery } from "../deliver/delivery.ts";
import type { BlockedEntry, DeliveryEntry, IssueDetail, RetryEntry, RunningRun, Snapshot } from "../events/snapshot.ts";
import { addTokens, noTokens } from "../session/token-meter.ts";
import { costOf } from "../state/budget.ts";
import type { BlockedClaim, Claim, RetryClaim } from "../state/claim.ts";
import type { ActiveRun } from "./ledger.ts";
import type { Scheduler } from "./scheduler.ts";

/** The whole state now. */
export function buildSnapshot(scheduler: Scheduler, startedAt: number): Snapshot {
  const { ledger, core, options, mode } = scheduler;
  const { store, clock } = options;
  const { config } = store.current;
  const now = clock.now();
  const running = [...ledger.running.values()].map(runningRun);
  const { seconds, ...ended } = ledger.totals;
  const tokens = running.reduce((sum, run) => addTokens(sum, run.tokens), ended);
  const live = [...ledger.running.values()].reduce((sum, { run }) => sum + run.state.seconds, 0);
  return {
    generatedAt: now,
    startedAt,
    workflowPath: store.path,
    trackerKind: config.tracker.kind,
    mode,
    pollIntervalMs: config.pollIntervalMs,
    maxConcurrentAgents: config.agent.maxConcurrentAgents,
    hosts: scheduler.hosts.states(),
    running,
    retrying: [...ledger.retries.values()].map(retryEntry),
    blocked: [...ledger.blocked.values()].map(blockedEntry),
    finished: [...ledger.finished.values()].reverse(),
    finishedCount: ledger.finishedCount,
    ...scheduler.waiting(),
    totals: { ...tokens, secondsRunning: seconds + live },
    rateLimits: core.rateLimits,
    health: {
      workflowError: store.error,
      trackerError: scheduler.trackerError,
      budgetError: core.dayOver() ?? null,
      lastTickAt: scheduler.lastTickAt,
      nextTickAt: scheduler.nextTickAt,
    },
  };
}

/** All about one issue, by its identifier or id; undefined where nothing is known of it. */
export function buildDetail(scheduler: Scheduler, identifier: string): IssueDetail | undefined {
  const { ledger, core, options } = scheduler;
  const is = ({ issue }: { issue: { id: string; identifier: string } }) =>
    issue.identifier === identifier || issue.id === identifier;
  const active = [...ledger.running.values()].find(({ claim }) => is(claim));
  const retry = [...ledger.retries.values()].find(is);
  const blocked = [...ledger.blocked.values()].find(is);
  const finished = ledger.finishedNamed(identifier);
  const claim: Claim | undefined = active?.claim ?? retry ?? blocked;
  const wait = claim
    ? undefined
    : scheduler.allWaiting().find((one) => one.identifier === identifier || one.issueId === identifier);
  const issueId = claim?.issue.id ?? wait?.issueId ?? finished?.issueId;
  if (issueId === undefined) return undefined;
  const running = active ? runningRun(active) : null;
  const tokens = addTokens((claim ?? finished)?.tokens ?? noTokens, active?.run.state.tokens ?? noTokens);
  const { price } = options.store.current.config.budget;
  return {
    issueId,
    identifier: claim?.issue.identifier ?? wait?.identifier ?? finished?.identifier ?? identifier,
    status: claim?.status ?? (wait ? "waiting" : "finished"),
    workspace: running?.workspace ?? (claim ?? finished)?.workspace ?? null,
    waiting: wait ?? null,
    running,
    retry: retry ? retryEntry(retry) : null,
    blocked: blocked ? blockedEntry(blocked) : null,
    finished: claim ? null : (finished ?? null),
    delivery: deliveryEntry(core.options.deliveries.of(issueId)),
    turns: (claim?.turns ?? finished?.turnCount ?? 0) + (active?.run.state.turnCount ?? 0),
    tokens,
    usd: price.input > 0 || price.output > 0 ? costOf(tokens, price) : null,
    runs: claim?.runs ?? finished?.attempts ?? 0,
    lastError: (claim ? claim.lastError : finished?.error) ?? null,
    timeline: ledger.logs.of(issueId),
  };
}

function deliveryEntry(delivery: Delivery | undefined): DeliveryEntry | null {
  if (!delivery) return null;
  const { branch, sha: commit, pull, state, checks, review, error } = delivery;
  const approved = commit !== null && delivery.approved === commit;
  return { branch, commit, pullUrl: pull?.url ?? null, state, checks, review, approved, error };
}

function runningRun({ claim, run }: ActiveRun): RunningRun {
  const { state } = run;
  return {
    ...about(claim, state.issue),
    priority: state.issue.priority,
    runId: claim.runId,
    attempt: claim.attempt,
    phase: state.phase,
    workspace: state.workspace ?? claim.workspace,
    host: claim.host ?? null,
    threadId: state.threadId,
    turnId: state.turnId,
    sessionId: state.sessionId,
    pid: state.pid,
    turnCount: state.turnCount,
    startedAt: state.startedAt,
    lastEvent: state.lastEvent,
    lastEventAt: state.lastActivityAt ?? state.lastEvent?.at ?? null,
    tokens: state.tokens,
  };
}

function retryEntry(claim: RetryClaim): RetryEntry {
  const { attempt, dueAt, error, workspace, threadId } = claim;
  return { ...about(claim), attempt, dueAt, error, workspace, threadId };
}

function blockedEntry(claim: BlockedClaim): BlockedEntry {
  const { attempt, since, reason, workspace, threadId, sessionId } = claim;
  return { ...about(claim), attempt, since, reason, workspace, threadId, sessionId };
}

function about(claim: Claim, issue = claim.issue) {
  const { id, identifier, title, url, state } = issue;
  return { issueId: id, identifier, title, url, state };
}
