import type { CommandResult } from "../events/control.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { RunError } from "../events/run-error.ts";
import { toRunError } from "../events/run-error.ts";
import type { Snapshot } from "../events/snapshot.ts";
import { Hosts } from "../executor/hosts.ts";
import type { Clock } from "../lib/clock.ts";
import type { ClaimStore } from "../state/claims.ts";
import { TrackerError } from "../tracker/tracker-error.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import type { BacklogEntry } from "./backlog.ts";
import { backoffMs } from "./backoff.ts";
import { SchedulerCore } from "./core.ts";
import { Deliveries } from "./deliveries.ts";
import { Dispatcher } from "./dispatcher.ts";
import { fireRetries, waitingForSlot } from "./fire-retries.ts";
import { Ledger } from "./ledger.ts";
import { retryNow, stopNow } from "./operator.ts";
import { killMarked } from "./orphans.ts";
import { Priorities } from "./priorities.ts";
import { refreshClaimed, stopStalled } from "./reconcile.ts";
import { SingleFlight } from "./single-flight.ts";
import { cleanUpTerminal, restoreClaims } from "./start-up.ts";
import { StopRun } from "./stop-run.ts";
import { TrackerCalls } from "./tracker-calls.ts";
import { UsedTrackers } from "./used-trackers.ts";

/** Options of {@link Scheduler}, which owns none of them. */
export interface SchedulerOptions {
  readonly store: WorkflowStore;
  readonly claims: ClaimStore;
  readonly clock: Clock;
  readonly bus: EventBus;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly quire: string | undefined;
  /** Stop once every issue that can be worked on has been worked on once. */
  readonly once: boolean;
  /** Folder of repositories through which commits go to remotes. */
  readonly outbox: string;
  /** Told the tracker's credentials: nothing may show them. */
  learnSecrets(secrets: readonly string[]): void;
}

/** Failed attempts at an issue, when working through them once. */
const onceAttempts = 3;
/** Looks at the tracker that may fail in a row, when working through it once. */
const onceTickFailures = 3;
/** Longest pause before retries that could not be written are looked at again. */
const maxFirePauseMs = 60_000;
/** The longest that a tracker's word on when to come back is heeded. */
const maxRateLimitMs = 3_600_000;

/** Decides what is worked on and when. All state is its own, and is changed from here alone. */
export class Scheduler {
  readonly options: SchedulerOptions;
  readonly ledger: Ledger;
  readonly core: SchedulerCore;
  readonly hosts: Hosts;
  mode: "running" | "paused" | "draining" = "running";
  trackerError: RunError | null = null;
  lastTickAt: number | null = null;
  nextTickAt: number | null = null;
  /** Settles when there is nothing more to do: all is drained, or all was worked through once. */
  readonly done: Promise<void>;
  readonly #settleDone: () => void;
  readonly #stopping = new AbortController();
  readonly #dispatcher: Dispatcher;
  readonly #deliveries: Deliveries;
  readonly #watching = new SingleFlight(() => this.#watch());
  readonly #ticks = new SingleFlight(() => this.#tick());
  readonly #retries = new SingleFlight(() => this.#fire());
  #starting: Promise<void> | undefined;
  readonly #trackers: UsedTrackers;
  #tickFailures = 0;
  #fireFailures = 0;
  #cancelTick: (() => void) | undefined;

  constructor(options: SchedulerOptions) {
    this.options = options;
    const { store, claims, clock, bus, env, quire, once } = options;
    this.#trackers = new UsedTrackers(store.current.tracker);
    options.learnSecrets(store.current.tracker.secrets);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.#settleDone = resolve;
    const calls = new TrackerCalls(clock, this.#stopping.signal);
    this.ledger = new Ledger({ store: claims, clock, log: bus.log, fire: () => void this.#retries.run() });
    this.hosts = new Hosts({
      clock,
      env,
      config: () => store.current.config.worker,
      running: () => [...this.ledger.running.values()].map(({ run }) => run.options.executor.host),
      changed: (host, lost) => this.#hostChanged(host, lost),
    });
    const executor = (host: string | null) => this.hosts.of(host);
    const { signal } = this.#stopping;
    this.#deliveries = new Deliveries({ store: claims, bus, folder: options.outbox, signal, executor });
    this.core = new SchedulerCore({
      deliveries: this.#deliveries,
      hosts: this.hosts,
      priorities: new Priorities(claims),
      store,
      calls,
      clock,
      bus,
      env,
      quire,
      ledger: this.ledger,
      killSignal: this.#stopping.signal,
      maxAttempts: once ? onceAttempts : undefined,
      isDraining: () => this.mode === "draining",
      canStartRuns: () => this.mode === "running",
      trip: (why) => this.#trip(why),
      released: (issueId) => this.#dispatcher.backlog.leave(issueId),
      runEnded: () => this.#runEnded(),
    });
    this.#dispatcher = new Dispatcher(this.core);
  }

  /** Takes up what an earlier orchestrator left, cleans up, and looks at the tracker. */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    await restoreClaims(this.core);
    await cleanUpTerminal(this.core);
    if (this.#stopping.signal.aborted) return;
    this.options.store.watch(() => this.#workflowChanged());
    // First those that were cut off: fresh issues would take their slots.
    await this.#retries.run();
    void this.#ticks.run();
  }

  /** Looks at the tracker soon; says whether a look was on its way already. */
  refresh(): boolean {
    const coalesced = this.#ticks.busy;
    void this.#ticks.run();
    return coalesced;
  }

  /** Issues that wait, as of the last look at the tracker. */
  waiting(): Pick<Snapshot, "waiting" | "waitingCount"> {
    return this.#dispatcher.backlog.show((issueId) => this.ledger.isClaimed(issueId) || this.core.isOver(issueId));
  }

  /** All issues that wait, as of the last look at the tracker, in the order in which they begin. */
  allWaiting(): readonly BacklogEntry[] {
    return this.#dispatcher.backlog.all((issueId) => this.ledger.isClaimed(issueId) || this.core.isOver(issueId));
  }

  /** Looks at retries that are due now. */
  fireSoon(): void {
    void this.#retries.run();
  }

  pause(): void {
    if (this.mode === "running") this.mode = "paused";
    this.options.bus.changed();
  }

  /** Stops to begin runs, because too many fail the same way. */
  #trip(why: string): void {
    if (this.mode !== "running") return;
    this.options.bus.log("error", `paused: ${why}; resume when it is mended`);
    this.options.bus.emit({ type: "paused", reason: why });
    // Nobody is there to resume.
    if (this.options.once) {
      this.core.gaveUp++;
      this.drain();
    } else this.pause();
  }

  resume(): void {
    if (this.mode !== "paused") return;
    this.mode = "running";
    this.options.bus.changed();
    void this.#retries.run();
    void this.#ticks.run();
  }

  /** Has an issue that waits or is blocked tried again at once. */
  retry(identifier: string): CommandResult {
    const { result, fire } = retryNow(this.core, identifier);
    if (fire) void this.#retries.run();
    return result;
  }

  /** Ends an issue's run, or its waiting, and leaves it to a person. */
  stopIssue(identifier: string): CommandResult {
    return stopNow(this.core, identifier);
  }

  /** Begins nothing more; runs end with the turn that they are in. {@link done} tells when. */
  drain(): void {
    this.mode = "draining";
    this.#cancelTick?.();
    this.nextTickAt = null;
    this.ledger.retries.stop();
    this.options.bus.log("info", "draining: finishing running turns", { running: this.ledger.running.size });
    this.options.bus.changed();
    this.#checkDone();
  }

  /** Ends all runs and everything else. What was under way is started again by the next start. */
  async stop(): Promise<void> {
    if (this.mode !== "draining") this.drain();
    const reason = new StopRun("Stopped", "orchestrator_stopped", "The orchestrator was stopped");
    for (const { run } of this.ledger.running.values()) run.stop(reason);
    this.#stopping.abort(new TrackerError("tracker_request", "The orchestrator was stopped"));
    await this.#starting?.catch(() => undefined);
    await Promise.all([
      this.#ticks.settled(),
      this.#retries.settled(),
      this.done,
      this.#dispatcher.settled(),
      this.#watching.settled(),
    ]);
    this.ledger.logs[Symbol.dispose]();
    await this.#trackers.close();
  }

  /** Kills what runs, for when there is no time for anything else. The next start mends the rest. */
  kill(): void {
    const { running, cleanUpMark } = this.ledger;
    killMarked([cleanUpMark, ...[...running.values()].map(({ run }) => run.options.runId)]);
  }

  async #tick(): Promise<void> {
    if (this.mode === "draining") return;
    const { clock, bus, store } = this.options;
    this.#cancelTick?.();
    if (store.reload()) this.#workflowChanged();
    let dispatched = 0;
    let error = store.error;
    let wait = 0;
    try {
      stopStalled(this.core);
      await refreshClaimed(this.core);
      if (error === null && this.mode === "running") {
        if (this.ledger.retries.due().length > 0) await this.#retries.run();
        dispatched = await this.#dispatcher.dispatchAll();
        this.trackerError = null;
      }
    } catch (thrown) {
      error = this.trackerError = toRunError(thrown);
      wait = Math.min(thrown instanceof TrackerError ? (thrown.retryAfterMs ?? 0) : 0, maxRateLimitMs);
      if (!this.#stopping.signal.aborted) bus.log("error", `dispatch failed: ${error.message}`, { code: error.code });
    }
    // Slow forges hold nothing up; only where all is to be worked through once, it is waited for.
    const watched = this.#watching.run();
    if (this.options.once) await watched;
    void this.hosts.lookAgain().then((isBack) => isBack && void this.#ticks.run());
    this.#tickFailures = error === null ? 0 : this.#tickFailures + 1;
    this.lastTickAt = clock.now();
    bus.emit({ type: "tick", dispatched, error });
    this.#arm(wait);
    this.#checkDone(dispatched === 0);
  }

  /** Looks what became of what was delivered. */
  async #watch(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { store, bus } = this.options;
    try {
      const changed = await this.#deliveries.look(store.current, (id) => this.ledger.running.has(id));
      for (const { issue, state, workspace, host } of changed) {
        if (state === "merged" && store.current.config.deliver?.states.done != null) {
          await this.core.cleanUp(issue, { workspace, host });
        }
      }
      if (changed.some(({ feedback }) => feedback !== null) && !this.options.once) void this.#ticks.run();
    } catch (error) {
      const { code, message } = toRunError(error);
      if (!this.#stopping.signal.aborted) bus.log("warn", `could not look at deliveries: ${message}`, { code });
    }
  }

  async #fire(): Promise<void> {
    if (this.mode !== "running") return;
    try {
      await fireRetries(this.core, this.options);
      this.#fireFailures = 0;
    } catch (error) {
      this.#fireFailures++;
      this.ledger.notices.failed("what becomes of issues that wait", error);
    }
    this.ledger.retries.rearm(this.#fireFailures === 0 ? 0 : backoffMs(this.#fireFailures, maxFirePauseMs));
    this.#dispatcher.fill();
    this.#checkDone();
  }

  /** A host is lost, or is there again. */
  #hostChanged(host: string, lost: string | null): void {
    const { bus } = this.options;
    if (lost === null) bus.log("info", "a host is there again", { host });
    else {
      bus.log("error", `a host is lost, and its issues go elsewhere: ${lost}`, { host });
      this.core.endOn(host, lost);
    }
    bus.changed();
  }

  #arm(atLeastMs: number): void {
    const { clock, store } = this.options;
    this.#cancelTick?.();
    if (this.mode === "draining") return;
    const delay = Math.max(store.current.config.pollIntervalMs, atLeastMs);
    this.nextTickAt = clock.now() + delay;
    this.#cancelTick = clock.setTimeout(() => void this.#ticks.run(), delay);
  }

  #workflowChanged(): void {
    const { store, bus } = this.options;
    const { error, current } = store;
    bus.emit({ type: "workflow.reloaded", error });
    if (error)
      bus.log(
        "error",
        `the workflow has an error; running on the last good version and starting nothing new: ${error.message}`,
        { code: error.code },
      );
    else bus.log("info", "workflow loaded", { path: store.path });
    for (const warning of error ? [] : current.warnings) bus.log("warn", warning);
    if (this.#trackers.use(current.tracker)) {
      this.options.learnSecrets(current.tracker.secrets);
      void this.#closeUnused();
    }
    if (!this.#ticks.busy && this.lastTickAt !== null && this.mode !== "draining") {
      // A new interval counts from now, and what the change allows is started at once.
      void this.#ticks.run();
    }
  }

  #runEnded(): void {
    if (this.mode === "running") {
      const next = waitingForSlot(this.ledger, this.core.limits);
      this.ledger.retries.makeDue(next);
      if (next.length > 0) void this.#retries.run();
      else this.#dispatcher.fill();
    }
    void this.#closeUnused();
    this.#checkDone();
  }

  /** Ends where there is nothing to wait for. @param isQuiet Whether the tracker has just shown nothing to begin. */
  #checkDone(isQuiet = false): void {
    const { running, retries } = this.ledger;
    if (running.size > 0) return;
    if (this.mode === "draining") this.#settleDone();
    if (!this.options.once || this.mode === "paused" || retries.size > 0 || this.#dispatcher.busy) return;
    if (this.#tickFailures >= onceTickFailures) this.#settleDone();
    else if (!isQuiet) void this.#ticks.run();
    else if (this.#tickFailures === 0) this.#settleDone();
  }

  #closeUnused(): Promise<void> {
    return this.#trackers.closeUnused(
      new Set([...this.ledger.running.values()].map(({ run }) => run.options.workflow.tracker)),
    );
  }
}
