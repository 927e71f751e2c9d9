import { dirname, join } from "node:path";
import process from "node:process";
import { Redactor } from "@quire/agent/runtime";
import type { ActionResult, BoardAction, BoardQuery, Column } from "./events/board.ts";
import { type CommandResult, type OrchestratorControl, type RefreshReceipt, SnapshotError } from "./events/control.ts";
import { EventBus } from "./events/event-bus.ts";
import type { EventListener } from "./events/events.ts";
import { cutDiff, type IssueDiff } from "./events/issue-diff.ts";
import type { IssueDetail, Snapshot } from "./events/snapshot.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { secretsIn } from "./lib/secrets.ts";
import { orchestratorHome } from "./lib/token-file.ts";
import { FileSink } from "./log/file-sink.ts";
import { logTo } from "./log/log-sinks.ts";
import { Notifier } from "./notify/notifier.ts";
import { act } from "./scheduler/act.ts";
import { BoardCards } from "./scheduler/build-board.ts";
import { buildDetail, buildSnapshot } from "./scheduler/build-snapshot.ts";
import { Scheduler } from "./scheduler/scheduler.ts";
import { ClaimStore } from "./state/claims.ts";
import type { TrackerAdapters } from "./tracker/adapter.ts";
import { Agreement } from "./workflow/agreement.ts";
import type { WorkflowConfig } from "./workflow/config.ts";
import { readWorkflow, workflowPath } from "./workflow/load-workflow.ts";
import { MachineLease } from "./workflow/machine-lease.ts";
import { TrackerLocks, TrackerTakenError } from "./workflow/tracker-locks.ts";
import { agreementFile, defaultStateFile } from "./workflow/workflow-files.ts";
import { WorkflowStore } from "./workflow/workflow-store.ts";
import { ensureRoot } from "./workspace/private-root.ts";

/** Options of {@link Orchestrator}. */
export interface OrchestratorOptions {
  /** The workflow file. Default `WORKFLOW.md` in the current folder. */
  readonly workflow?: string | undefined;
  readonly adapters: TrackerAdapters;
  /** Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly clock?: Clock | undefined;
  /** The file in which claims, totals and timelines are kept. Default: one for the workflow, below `$QUIRE_HOME` or `~/.quire`. */
  readonly stateFile?: string | undefined;
  /** Path of the `quire` program, for commands that begin with its name. */
  readonly quire?: string | undefined;
  /** Ends when all that can be done has been done once. */
  readonly once?: boolean | undefined;
}

/**
 * Works through a tracker's issues as its workflow says. Making one reads the workflow and takes the lock, and throws
 * where either cannot be had; {@link start} begins; {@link drain} and {@link shutDown} end.
 */
export class Orchestrator implements OrchestratorControl, AsyncDisposable {
  readonly #bus: EventBus;
  readonly #store: WorkflowStore;
  readonly #claims: ClaimStore;
  readonly #locks: TrackerLocks;
  readonly #notifier: Notifier;
  readonly #logFile: FileSink | undefined;
  readonly #scheduler: Scheduler;
  readonly #clock: Clock;
  readonly #machineFile: string | undefined;
  #lease: MachineLease | undefined;
  #startedAt: number | undefined;
  #cards: BoardCards | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: OrchestratorOptions) {
    const { adapters, env = process.env, clock = systemClock, once = false } = options;
    const path = workflowPath(options.workflow, process.cwd());
    this.#clock = clock;
    const redactor = new Redactor(secretsIn(env));
    this.#bus = new EventBus(clock, redactor);
    const stateFile = () => options.stateFile ?? defaultStateFile(path, env);
    // First, so that a missing file is reported as missing.
    readWorkflow(path);
    const agreement = new Agreement(agreementFile(stateFile()));
    const folder = stateFile() === ":memory:" ? undefined : dirname(stateFile());
    this.#locks = new TrackerLocks(folder);
    const takeTracker = (scope: string | null) => {
      this.#locks.take(scope);
      this.#lease?.take(scope).catch((error: Error) => this.#lost(error.message));
    };
    using undo = new DisposableStack();
    undo.use(this.#locks);
    this.#store = undo.use(new WorkflowStore(path, { adapters, env, log: this.#bus.log, takeTracker }, agreement));
    this.#machineFile = folder === undefined ? undefined : join(folder, "machine-id");
    this.#claims = undo.use(new ClaimStore(stateFile()));
    takeTracker(this.#store.current.tracker.scope);
    const { log } = this.#store.current.config;
    this.#logFile = log === null ? undefined : undo.use(new FileSink(log));
    if (this.#logFile) this.#bus.subscribe(logTo([this.#logFile], log?.level));
    undo.move();
    this.#notifier = new Notifier(() => this.#store.current.config.notify, this.#bus.log);
    this.#bus.subscribe(this.#notifier.listener);
    const { quire } = options;
    this.#scheduler = new Scheduler({
      store: this.#store,
      claims: this.#claims,
      clock,
      bus: this.#bus,
      env,
      quire,
      once,
      outbox: join(folder ?? orchestratorHome(env), "outbox"),
      learnSecrets: (secrets) => redactor.learn(secrets),
    });
  }

  get #board(): BoardCards {
    this.#cards ??= new BoardCards(this.#scheduler);
    return this.#cards;
  }

  /** The settings in use. */
  get config(): WorkflowConfig {
    return this.#store.current.config;
  }

  /** Settles when there is nothing more to do: after {@link drain}, or when all was worked through `once`. */
  get done(): Promise<void> {
    return this.#scheduler.done;
  }

  /** True after a `once` run in which an issue was given up or needs a person, or the tracker was unreachable. */
  get incomplete(): boolean {
    const { core, ledger, trackerError } = this.#scheduler;
    return core.gaveUp > 0 || ledger.blocked.size > 0 || trackerError !== null || this.#store.error !== null;
  }

  /** Takes up what an earlier orchestrator left, and begins. Throws where the workspace root is not the user's alone. */
  async start(): Promise<void> {
    await ensureRoot(this.config.workspaceRoot);
    await this.#takeLease();
    this.#startedAt = this.#clock.now();
    for (const warning of this.#store.current.warnings) this.#bus.log("warn", warning);
    await this.#scheduler.start();
  }

  async #takeLease(): Promise<void> {
    const { machines } = this.config;
    if (machines === null) return;
    const lease = new MachineLease({ ...machines, idFile: this.#machineFile, onLost: (why) => this.#lost(why) });
    try {
      await lease.take(this.#store.current.tracker.scope);
      this.#lease = lease;
    } catch (error) {
      await lease.close();
      if (error instanceof TrackerTakenError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The database of machines.database ($${machines.urlEnvName}) cannot be used: ${reason}`;
      throw new Error(message, { cause: error });
    }
  }

  /** Ends: another machine may be at work on the same issues. */
  #lost(why: string): void {
    this.#bus.log("error", `The orchestrator stops: ${why}`);
    void this.shutDown();
  }

  /** Begins nothing more; runs end with the turn that they are in. {@link done} tells when. */
  drain(): void {
    this.#scheduler.drain();
  }

  /** Ends all at once. Afterwards no process is left. Idempotent. */
  shutDown(): Promise<void> {
    this.#stopped ??= this.#shutDown();
    return this.#stopped;
  }

  /** Kills what runs without waiting, for when the process exits in this very moment. */
  kill(): void {
    this.#scheduler.kill();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutDown();
  }

  snapshot(): Snapshot {
    return this.#bus.redacted(buildSnapshot(this.#scheduler, this.#started()));
  }

  issue(identifier: string): IssueDetail | undefined {
    this.#started();
    return this.#bus.redacted(buildDetail(this.#scheduler, identifier));
  }

  board(query: BoardQuery): readonly Column[] {
    this.#started();
    return this.#bus.redacted(this.#board.columns(query));
  }

  async diff(identifier: string): Promise<IssueDiff | undefined> {
    this.#started();
    const issueId = buildDetail(this.#scheduler, identifier)?.issueId;
    const diff = issueId && (await this.#scheduler.core.options.deliveries.diff(this.#store.current, issueId));
    return diff ? this.#bus.redacted(cutDiff(diff)) : undefined;
  }

  async act(identifier: string, action: BoardAction): Promise<ActionResult> {
    this.#started();
    return act(this.#scheduler, identifier, action);
  }

  refresh(): RefreshReceipt {
    const coalesced = this.#scheduler.refresh();
    return { queued: true, coalesced, requestedAt: this.#clock.now(), operations: ["poll", "reconcile"] };
  }

  pause(): void {
    this.#scheduler.pause();
  }

  resume(): void {
    this.#scheduler.resume();
  }

  retry(identifier: string): CommandResult {
    return this.#scheduler.retry(identifier);
  }

  stop(identifier: string): CommandResult {
    return this.#scheduler.stopIssue(identifier);
  }

  subscribe(listener: EventListener): () => void {
    return this.#bus.subscribe(listener);
  }

  /** Since when it works. Throws where it does not. */
  #started(): number {
    if (this.#startedAt !== undefined && !this.#stopped) return this.#startedAt;
    throw new SnapshotError("unavailable", `The orchestrator has ${this.#stopped ? "stopped" : "not started"}`);
  }

  async #shutDown(): Promise<void> {
    if (this.#startedAt === undefined) this.#scheduler.drain();
    await this.#scheduler.stop();
    await this.#notifier.settled();
    await this.#lease?.close();
    this.#store[Symbol.dispose]();
    this.#claims[Symbol.dispose]();
    this.#locks[Symbol.dispose]();
    this.#logFile?.[Symbol.dispose]();
  }
}
