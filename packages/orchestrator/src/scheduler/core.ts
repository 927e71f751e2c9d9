import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { Clock } from "@quire/agent/runtime";
import type { RateLimitSnapshot } from "@quire/protocol";
import type { EventBus } from "../events/event-bus.ts";
import type { RunError } from "../events/run-error.ts";
import { toRunError } from "../events/run-error.ts";
import type { FinishedIssue } from "../events/snapshot.ts";
import { addTokens, noTokens } from "../session/token-meter.ts";
import type { Issue } from "../tracker/issue.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import { Workspaces } from "../workspace/workspaces.ts";
import { backoffMs, continuationMs } from "./backoff.ts";
import { childEnvironment } from "./child-environment.ts";
import type { Claim, RetryClaim } from "./claim.ts";
import type { Ledger } from "./ledger.ts";
import { Run, type RunEnd } from "./run.ts";
import { issueFields, runListener } from "./run-listener.ts";
import type { TrackerCalls } from "./tracker-calls.ts";

/** State and services that the parts of the scheduler share. */
export interface CoreOptions {
  readonly store: WorkflowStore;
  readonly ledger: Ledger;
  readonly calls: TrackerCalls;
  readonly clock: Clock;
  readonly bus: EventBus;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly quire: string | undefined;
  /** Failures in a row after which an issue is given up; undefined: never. */
  readonly maxAttempts: number | undefined;
  /** Aborted when all is to end at once. */
  readonly killSignal: AbortSignal;
  /** True if runs end after their current turn. */
  isDraining(): boolean;
  /** False while the scheduler is paused or shutting down. */
  canStartRuns(): boolean;
  /** A run is over and all that follows from it is noted. */
  runEnded(): void;
}

/** The next step for an issue that will be retried. */
interface RetryPlan {
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: string | null;
  readonly needsSlot?: boolean;
}

/** The steps that an issue takes from one state to the next. */
export class SchedulerCore {
  readonly options: CoreOptions;
  rateLimits: RateLimitSnapshot | null = null;
  /** Issues given up, when working through them once. */
  gaveUp = 0;
  readonly #over = new Set<string>();
  readonly #begun = new Set<string>();

  constructor(options: CoreOptions) {
    this.options = options;
  }

  /** True if the issue must not start again even while active: under `once` it has had its run. */
  isOver(issueId: string): boolean {
    return this.options.maxAttempts !== undefined && this.#over.has(issueId);
  }

  /** True if this orchestrator, not an earlier one, has started a run of the issue. */
  hasBegun(issueId: string): boolean {
    return this.#begun.has(issueId);
  }

  /** Begins a run. @param before The claim that the issue has already, if any. */
  dispatch(issue: Issue, attempt: number, before?: Claim): void {
    const { ledger, clock, store, env, quire, bus, killSignal } = this.options;
    const runId = randomUUID();
    if (this.options.maxAttempts !== undefined) this.#begun.add(issue.id);
    const runs = (before?.runs ?? 0) + 1;
    const history = before ? carried(before) : fresh;
    const workflow = store.current;
    const claim = {
      ...history,
      status: "running" as const,
      issue,
      attempt,
      runs,
      runId,
      startedAt: clock.now(),
      pid: null,
      pidStartedAt: null,
      progress: null,
    };
    const run = ledger.begin(
      claim,
      () =>
        new Run({
          runId,
          number: runs,
          issue,
          attempt,
          workflow,
          clock,
          env,
          quire,
          killSignal,
          log: (level, message, fields) => bus.log(level, message, { ...issueFields(issue), ...fields }),
          listener: runListener({ ledger, bus, rateLimits: (limits) => (this.rateLimits = limits) }, issue, runId),
          isLast: () => this.options.isDraining(),
        }),
    );
    bus.emit({
      type: "run.started",
      issueId: issue.id,
      identifier: issue.identifier,
      runId,
      title: issue.title,
      attempt,
    });
    bus.log("info", "run started", { ...issueFields(issue), run_id: runId, attempt });
    void run.ended.then((end) => this.#ended(run, end));
  }

  /** Schedules a retry. */
  retry(claim: Claim, { attempt, delayMs, error, needsSlot = false }: RetryPlan): void {
    const { ledger, clock, bus, maxAttempts } = this.options;
    if (maxAttempts !== undefined && error !== null && !needsSlot && attempt > maxAttempts) {
      this.gaveUp++;
      this.release(claim, "gave_up");
      return;
    }
    const { issue } = claim;
    const dueAt = clock.now() + delayMs;
    ledger.wait({ ...carried(claim), status: "retrying", issue, attempt, dueAt, error, needsSlot });
    bus.emit({ type: "retry.scheduled", issueId: issue.id, identifier: issue.identifier, attempt, dueAt, error });
    bus.log(error === null || needsSlot ? "info" : "warn", "retry scheduled", {
      ...issueFields(issue),
      attempt,
      due_in_ms: delayMs,
      error,
    });
  }

  /** The same after a failure, with the pause that belongs to the attempt. */
  retryFailed(claim: Claim, attempt: number, error: string): void {
    this.retry(claim, {
      attempt,
      delayMs: backoffMs(attempt, this.options.store.current.config.agent.maxRetryBackoffMs),
      error,
    });
  }

  /** Leaves an issue to a person. */
  block(claim: Claim, reason: RunError, sessionId: string | null): void {
    const { ledger, clock, bus } = this.options;
    ledger.block({
      ...carried(claim),
      status: "blocked",
      issue: claim.issue,
      attempt: claim.attempt,
      since: clock.now(),
      reason,
      sessionId,
    });
    bus.log("warn", "issue blocked", {
      ...issueFields(claim.issue),
      session_id: sessionId,
      reason: reason.code,
      error: reason.message,
    });
    bus.changed();
  }

  /** Lets go of an issue. */
  release(claim: Claim, reason: string): void {
    const { ledger, clock, bus, calls } = this.options;
    const { issue } = claim;
    const finished: FinishedIssue = {
      issueId: issue.id,
      identifier: issue.identifier,
      title: issue.title,
      url: issue.url,
      state: issue.state,
      outcome: claim.lastOutcome ?? "Stopped",
      reason,
      attempts: claim.runs,
      turnCount: claim.turns,
      at: clock.now(),
      tokens: claim.tokens,
      threadId: claim.threadId,
      workspace: claim.workspace !== null && existsSync(claim.workspace) ? claim.workspace : null,
      error: claim.lastError,
    };
    ledger.release(issue.id, finished);
    if (this.options.maxAttempts !== undefined) this.#over.add(issue.id);
    calls.released(issue.id);
    bus.emit({ type: "issue.finished", issue: finished });
    bus.log("info", "issue released", { ...issueFields(issue), reason, state: issue.state });
  }

  /** Removes an issue's workspace. Failure is logged. @param runId Mark of the hook's processes. */
  async cleanUp(issue: Issue, runId: string = this.options.ledger.cleanUpMark): Promise<void> {
    const { store, env, bus, quire, killSignal } = this.options;
    const { config, tracker } = store.current;
    const fields = issueFields(issue);
    const workspaces = new Workspaces({
      root: config.workspaceRoot,
      hooks: config.hooks,
      env: childEnvironment({ env, runId, issue, quire, tracker, root: config.workspaceRoot }),
      log: (level, message, more) => bus.log(level, message, { ...fields, ...more }),
    });
    try {
      if (await workspaces.remove(issue.identifier, killSignal)) bus.log("info", "workspace removed", fields);
    } catch (error) {
      const { code, message } = toRunError(error);
      bus.log("warn", `could not remove the workspace: ${message}`, { ...fields, code });
    }
  }

  async #ended(run: Run, how: RunEnd): Promise<void> {
    const { ledger, clock, bus } = this.options;
    const end = bus.redacted(how);
    const { issue: begun, runId } = run.options;
    const active = ledger.running.get(begun.id);
    if (active?.run !== run) return;
    const { state } = run;
    const claim: Claim = {
      ...active.claim,
      issue: state.issue,
      turns: active.claim.turns + state.turnCount,
      tokens: addTokens(active.claim.tokens, state.tokens),
      workspace: state.workspace ?? active.claim.workspace,
      threadId: state.threadId ?? active.claim.threadId,
      lastOutcome: end.outcome,
      lastError: end.error,
    };
    const fields = { ...issueFields(claim.issue), session_id: state.sessionId, outcome: end.outcome };
    bus.log(end.error === null ? "info" : "warn", "run ended", {
      ...fields,
      code: end.error?.code,
      error: end.error?.message,
    });
    if (end.cleanUp) await this.cleanUp(claim.issue, runId);
    const used = { tokens: state.tokens, seconds: (clock.now() - state.startedAt) / 1000 };
    try {
      ledger.end(used, () => this.#settle(claim, end, state.sessionId));
    } catch (error) {
      // The disk may be full. A run that is over must not count as one that is under way.
      ledger.drop(begun.id);
      bus.log("error", `could not save the end of the run: ${toRunError(error).message}`, fields);
    }
    bus.emit({
      type: "run.ended",
      issueId: begun.id,
      identifier: begun.identifier,
      runId,
      outcome: end.outcome,
      error: end.error,
    });
    this.options.runEnded();
  }

  #settle(claim: Claim, { outcome, error }: RunEnd, sessionId: string | null): void {
    if (outcome === "Succeeded") this.retry(claim, { attempt: 1, delayMs: continuationMs, error: null });
    else if (outcome === "CanceledByReconciliation") this.release(claim, error?.code ?? "canceled");
    else if (outcome === "Blocked" || error?.code === "stopped_by_operator") {
      this.block(claim, error ?? { code: "blocked", message: "It needs a person" }, sessionId);
    } else if (outcome === "Stopped") {
      // Not a failure, but not the first run either: whoever continues finds a workspace that was left in the middle.
      this.retry(claim, { attempt: Math.max(1, claim.attempt), delayMs: 0, error: error?.message ?? "stopped" });
    } else this.retryFailed(claim, claim.attempt + 1, `${error?.code ?? outcome}: ${error?.message ?? ""}`);
  }
}

type History = Pick<RetryClaim, "runs" | "turns" | "tokens" | "workspace" | "threadId" | "lastOutcome" | "lastError">;

const fresh: History = {
  runs: 0,
  turns: 0,
  tokens: noTokens,
  workspace: null,
  threadId: null,
  lastOutcome: null,
  lastError: null,
};

/** The history that an issue keeps from claim to claim. */
function carried({ runs, turns, tokens, workspace, threadId, lastOutcome, lastError }: Claim): History {
  return { runs, turns, tokens, workspace, threadId, lastOutcome, lastError };
}
