import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { type RateLimitSnapshot, visibleText } from "@quire/protocol";
import type { EventBus } from "../events/event-bus.ts";
import type { RunError } from "../events/run-error.ts";
import { toRunError } from "../events/run-error.ts";
import type { FinishedIssue } from "../events/snapshot.ts";
import type { Executor } from "../executor/executor.ts";
import type { Hosts } from "../executor/hosts.ts";
import type { Clock } from "../lib/clock.ts";
import { addTokens } from "../session/token-meter.ts";
import { costOf, overDayBudget, overIssueBudget } from "../state/budget.ts";
import type { Claim } from "../state/claim.ts";
import type { Issue } from "../tracker/issue.ts";
import type { AgentConfig } from "../workflow/config.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import { backoffMs, continuationMs } from "./backoff.ts";
import { childEnvironment } from "./child-environment.ts";
import type { Deliveries } from "./deliveries.ts";
import { ineligibleReason } from "./eligibility.ts";
import { FailureStreak } from "./failure-streak.ts";
import { afterEnd, carried, rootOf, spentOf, type WorkPlace, waiting } from "./history.ts";
import type { Ledger } from "./ledger.ts";
import type { Priorities } from "./priorities.ts";
import { Run, type RunEnd } from "./run.ts";
import { issueFields, runListener } from "./run-listener.ts";
import { StopRun } from "./stop-run.ts";
import type { TrackerCalls } from "./tracker-calls.ts";

/** State and services that the parts of the scheduler share. */
export interface CoreOptions {
  readonly store: WorkflowStore;
  readonly ledger: Ledger;
  readonly calls: TrackerCalls;
  readonly deliveries: Deliveries;
  readonly hosts: Hosts;
  readonly priorities: Priorities;
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
  /** Begins nothing more until a person says so. */
  trip(why: string): void;
  /** An issue was let go. */
  released(issueId: string): void;
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

/** A run to begin. */
interface Dispatch {
  readonly attempt: number;
  /** Machine that it is on. */
  readonly executor: Executor;
  /** The claim that the issue has already, if any. */
  readonly before?: Claim | undefined;
}

/** Ends that the loss of a machine may look like. */
const fromLoss: ReadonlySet<string> = new Set([
  ...["host_lost", "port_exit", "response_timeout", "turn_timeout", "stalled", "hook_failed", "hook_timeout"],
  ...["invalid_workspace_cwd", "workspace_create_failed", "codex_not_found"],
]);

/** True if the folder is still there; of another machine's that is not known. */
const isKept = ({ workspace, host = null }: WorkPlace) =>
  workspace !== null && (host !== null || existsSync(workspace));

/** A person's answer as an agent gets it. */
const answerText = (text: string) => `A person answered what you waited for:\n\n${visibleText(text, { prose: true })}`;

/** The steps that an issue takes from one state to the next. */
export class SchedulerCore {
  readonly options: CoreOptions;
  rateLimits: RateLimitSnapshot | null = null;
  /** Issues given up, when working through them once. */
  gaveUp = 0;
  #allMissing = 0;
  readonly #failures = new FailureStreak();
  readonly #over = new Set<string>();
  readonly #begun = new Set<string>();

  constructor(options: CoreOptions) {
    this.options = options;
  }

  /** True if the issue must not start again even while active: under `once` it has had its run. */
  isOver(issueId: string): boolean {
    return this.options.maxAttempts !== undefined && this.#over.has(issueId);
  }

  /**
   * True if a tracker that shows so few of the issues asked for may be believed. One that shows none of several has
   * rather lost them itself: it is believed at its third such answer in a row.
   */
  isBelievable(asked: number, found: number): boolean {
    if (found > 0 || asked < 2) this.#allMissing = 0;
    else this.#allMissing++;
    return this.#allMissing === 0 || this.#allMissing > 2;
  }

  /** True if this orchestrator, not an earlier one, has started a run of the issue. */
  hasBegun(issueId: string): boolean {
    return this.#begun.has(issueId);
  }

  /** The machine for the next run of an issue; undefined where there is no room for it now. */
  machineFor(issueId: string, before?: Claim): Executor | undefined {
    return this.options.hosts.choose((before ?? this.options.ledger.lastEnd(issueId))?.host ?? null);
  }

  /** Limits of what may run at once, with what the machines have room for. */
  get limits(): AgentConfig {
    const { agent } = this.options.store.current.config;
    return { ...agent, maxConcurrentAgents: Math.min(agent.maxConcurrentAgents, this.options.hosts.capacity) };
  }

  /** Begins a run. @param before The claim that the issue has already, if any. */
  dispatch(issue: Issue, { attempt, executor, before }: Dispatch): void {
    const { ledger, clock, store, env, quire, bus, killSignal } = this.options;
    const runId = randomUUID();
    if (this.options.maxAttempts !== undefined) this.#begun.add(issue.id);
    const last = before ? carried(before) : afterEnd(ledger.lastEnd(issue.id));
    const { host } = executor;
    const workflow = store.current;
    // Another machine begins with what was pushed, in a folder and on a thread of its own.
    const isMoved = (last.host ?? null) !== host && last.workspace !== null;
    const history = isMoved ? { ...last, host, workspace: null, threadId: null } : { ...last, host };
    const root = rootOf(history, workflow.config);
    const { answer } = history;
    const feedback = answer == null ? this.options.deliveries.feedbackFor(issue.id) : answerText(answer);
    const over = overIssueBudget(spentOf(history), workflow.config.budget);
    if (over) {
      this.block(before ?? { ...history, ...waiting, issue, attempt }, over, null);
      return;
    }
    const runs = history.runs + 1;
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
          root,
          executor,
          restore: (workspace) => this.options.deliveries.restore(workflow, issue.id, { workspace, host }),
          rework: feedback === null ? undefined : { feedback, threadId: history.threadId },
          clock,
          env,
          quire,
          killSignal,
          log: (level, message, fields) => bus.log(level, message, { ...issueFields(issue), ...fields }),
          listener: runListener({ ledger, bus, rateLimits: (limits) => (this.rateLimits = limits) }, issue, runId),
          isLast: () =>
            this.options.isDraining() || workflow.config.deliver?.handOver === "run" || this.#isUsedUp(issue.id),
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

  /** Why nothing may begin today. */
  dayOver(): RunError | undefined {
    const { ledger, clock, store } = this.options;
    return overDayBudget(ledger.day, clock, store.current.config.budget);
  }

  /** True if the run of an issue has used up what the issue may use. */
  #isUsedUp(issueId: string): boolean {
    const { ledger, store } = this.options;
    const active = ledger.running.get(issueId);
    if (!active) return false;
    const { claim, run } = active;
    const turns = claim.turns + run.state.turnCount;
    const spent = spentOf({ runs: 0, turns, tokens: addTokens(claim.tokens, run.state.tokens) });
    return overIssueBudget(spent, store.current.config.budget) !== undefined;
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
    const { id: issueId, identifier, title, url } = claim.issue;
    bus.emit({ type: "issue.blocked", issueId, identifier, title, url, reason });
    bus.log("warn", "issue blocked", {
      ...issueFields(claim.issue),
      session_id: sessionId,
      reason: reason.code,
      error: reason.message,
    });
    bus.changed();
  }

  /** Releases an issue. */
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
      workspace: isKept(claim) ? claim.workspace : null,
      host: claim.host ?? null,
      error: claim.lastError,
    };
    ledger.release(issue.id, finished);
    if (this.options.maxAttempts !== undefined) this.#over.add(issue.id);
    calls.released(issue.id);
    this.options.released(issue.id);
    bus.emit({ type: "issue.finished", issue: finished });
    bus.log("info", "issue released", { ...issueFields(issue), reason, state: issue.state });
  }

  /** Removes an issue's workspace. Failure is logged. @param runId Mark of the hook's processes. */
  async cleanUp(issue: Issue, place: WorkPlace | null, runId: string = this.options.ledger.cleanUpMark): Promise<void> {
    const { store, env, bus, quire, killSignal, ledger, hosts } = this.options;
    const { config, tracker } = store.current;
    const fields = issueFields(issue);
    const last = place ?? ledger.lastEnd(issue.id) ?? { workspace: null };
    const root = rootOf(last, config);
    const workspaces = hosts.of(last.host ?? null).workspaces({
      root,
      hooks: config.hooks,
      env: childEnvironment({ env, runId, issue, quire, tracker, root }),
      log: (level, message, more) => bus.log(level, message, { ...fields, ...more }),
    });
    try {
      if (await workspaces.remove(issue.identifier, killSignal)) {
        bus.log("info", "workspace removed", fields);
        ledger.noteRemoved(issue.id);
      }
    } catch (error) {
      const { code, message } = toRunError(error);
      bus.log("warn", `could not remove the workspace: ${message}`, { ...fields, code });
    }
  }

  async #ended(run: Run, how: RunEnd): Promise<void> {
    const { ledger, bus, store } = this.options;
    const { issue: begun, runId, executor } = run.options;
    const end = bus.redacted(await this.#judged(how, executor));
    const active = ledger.running.get(begun.id);
    if (active?.run !== run) return;
    const { state } = run;
    const claim: Claim = {
      ...active.claim,
      issue: state.issue,
      turns: active.claim.turns + state.turnCount,
      tokens: addTokens(active.claim.tokens, state.tokens),
      workspace: state.workspace ?? active.claim.workspace,
      host: executor.host,
      threadId: state.threadId ?? active.claim.threadId,
      lastOutcome: end.outcome,
      lastError: end.error,
      // A run that failed may have told its agent nothing.
      answer: end.outcome === "Succeeded" || end.outcome === "Blocked" ? null : active.claim.answer,
    };
    const fields = { ...issueFields(claim.issue), session_id: state.sessionId, outcome: end.outcome };
    bus.log(end.error === null ? "info" : "warn", "run ended", {
      ...fields,
      code: end.error?.code,
      error: end.error?.message,
    });
    await this.#deliver(run, claim, end);
    if (end.cleanUp) await this.cleanUp(claim.issue, claim, runId);
    const used = { tokens: state.tokens, turns: state.turnCount, seconds: state.seconds };
    try {
      ledger.end(used, () => this.#settle(claim, end, state.sessionId));
    } catch (error) {
      // The disk may be full. A run that is over must not count as one that is under way.
      ledger.drop(begun.id);
      ledger.notices.failed("the end of the run", error, fields);
    }
    bus.emit({
      type: "run.ended",
      issueId: begun.id,
      identifier: begun.identifier,
      runId,
      outcome: end.outcome,
      error: end.error,
    });
    const why = this.#failures.note(end, store.current.config.budget.sameFailures);
    if (why !== undefined) this.options.trip(why);
    this.options.runEnded();
  }

  /** The end of a run, with the loss of its machine in place of what that looked like. */
  async #judged(end: RunEnd, { host }: Executor): Promise<RunEnd> {
    if (host === null || end.outcome === "Succeeded" || end.error === null || !fromLoss.has(end.error.code)) return end;
    const why = await this.options.hosts.verify(host);
    return why === null ? end : { ...end, outcome: "Failed", error: { code: "host_lost", message: why } };
  }

  /** Ends the runs of a machine that is lost: their issues go elsewhere. */
  endOn(host: string, why: string): void {
    for (const { run } of this.options.ledger.running.values()) {
      if (run.options.executor.host === host) run.stop(new StopRun("Failed", "host_lost", why));
    }
  }

  /** Delivers what a run left that came to a good end, before its workspace may go. */
  async #deliver({ options, state }: Run, claim: Claim, { outcome, error }: RunEnd): Promise<void> {
    const isGood = outcome === "Succeeded" || (outcome === "CanceledByReconciliation" && error?.code !== "missing");
    if (!isGood || claim.workspace === null || this.options.killSignal.aborted) return;
    const { workflow } = options;
    const { tracker, deliver } = workflow.config;
    const byRun = deliver?.handOver === "run" && outcome === "Succeeded";
    const isHandedOver = byRun || ineligibleReason(claim.issue, tracker) !== undefined;
    const { issue, workspace, runs, turns, tokens } = claim;
    const summary = state.lastWords;
    const { price } = workflow.config.budget;
    const isPriced = price.input > 0 || price.output > 0;
    await this.options.deliveries.ship(workflow, {
      ...{ issue, workspace, isHandedOver, summary, runs, turns, host: options.executor.host },
      tokens: tokens.totalTokens,
      usd: isPriced ? costOf(tokens, price) : null,
    });
  }

  #settle(claim: Claim, { outcome, error }: RunEnd, sessionId: string | null): void {
    if (outcome === "Succeeded") this.retry(claim, { attempt: 1, delayMs: continuationMs, error: null });
    else if (outcome === "CanceledByReconciliation") this.release(claim, error?.code ?? "canceled");
    else if (outcome === "Blocked" || error?.code === "stopped_by_operator") {
      this.block(claim, error ?? { code: "blocked", message: "It needs a person" }, sessionId);
    } else if (outcome === "Stopped") {
      // Not a failure, but not the first run either: the next run finds a workspace that was left in the middle.
      this.retry(claim, { attempt: Math.max(1, claim.attempt), delayMs: 0, error: error?.message ?? "stopped" });
    } else this.retryFailed(claim, claim.attempt + 1, `${error?.code ?? outcome}: ${error?.message ?? ""}`);
  }
}
