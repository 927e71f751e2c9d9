import type { Clock } from "@quire/agent/runtime";
import type { Logger } from "../events/events.ts";
import { toRunError } from "../events/run-error.ts";
import type { FinishedIssue, TokenCounts } from "../events/snapshot.ts";
import { addTokens } from "../session/token-meter.ts";
import type { BlockedClaim, Claim, RetryClaim, RunningClaim } from "./claim.ts";
import type { ClaimStore, EndedTotals } from "./claims.ts";
import { IssueLogs } from "./issue-logs.ts";
import { RetryQueue } from "./retry-queue.ts";
import type { Run } from "./run.ts";

/** A run with the claim that was written for it. */
export interface ActiveRun {
  readonly claim: RunningClaim;
  readonly run: Run;
}

/** Options of {@link Ledger}. */
export interface LedgerOptions {
  readonly store: ClaimStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a retry is due. */
  readonly fire: () => void;
}

/** Finished issues that are remembered, with their logs. */
const maxFinished = 200;

/**
 * Everything that the orchestrator has taken on, in memory and in the file. All changes go through here, each to the
 * file first, so that both always agree.
 */
export class Ledger {
  readonly #store: ClaimStore;
  readonly #running = new Map<string, ActiveRun>();
  readonly #blocked = new Map<string, BlockedClaim>();
  /** In the order in which they finished. */
  readonly #finished = new Map<string, FinishedIssue>();
  readonly #clock: Clock;
  #totals: EndedTotals;
  readonly retries: RetryQueue;
  readonly logs: IssueLogs;

  constructor({ store, clock, log, fire }: LedgerOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#totals = store.totals();
    this.retries = new RetryQueue(clock, fire);
    this.logs = new IssueLogs(store.timelines, clock, (error) =>
      log("warn", `could not save timeline entries: ${toRunError(error).message}`),
    );
    for (const finished of store.finished().reverse()) this.#finished.set(finished.issueId, finished);
  }

  get running(): ReadonlyMap<string, ActiveRun> {
    return this.#running;
  }

  get blocked(): ReadonlyMap<string, BlockedClaim> {
    return this.#blocked;
  }

  get finished(): ReadonlyMap<string, FinishedIssue> {
    return this.#finished;
  }

  /** Tokens and seconds of runs that are over. */
  get totals(): EndedTotals {
    return this.#totals;
  }

  /** Mark of processes that belong to no run: hooks of workspaces that are removed. */
  get cleanUpMark(): string {
    return `clean-up-${this.#store.id}`;
  }

  /** Claims that an earlier orchestrator left. */
  stored(): Claim[] {
    return this.#store.all();
  }

  isClaimed(issueId: string): boolean {
    return this.#running.has(issueId) || this.#blocked.has(issueId) || this.retries.has(issueId);
  }

  /** Writes the claim and only then makes the run. */
  begin(claim: RunningClaim, make: () => Run): Run {
    this.#store.put(claim);
    this.#leave(claim.issue.id);
    const run = make();
    this.#running.set(claim.issue.id, { claim, run });
    return run;
  }

  /** Notes which process works for a run. */
  noteProcess(issueId: string, pid: number, pidStartedAt: string | null): void {
    this.#note(issueId, { pid, pidStartedAt });
  }

  /** Notes how far a run has come. */
  noteProgress(issueId: string): void {
    const state = this.#running.get(issueId)?.run.state;
    if (!state) return;
    const { turnCount: turns, tokens, threadId } = state;
    this.#note(issueId, { progress: { turns, tokens, threadId, at: this.#clock.now() } });
  }

  /** Adds a run to the totals, together with all that `work` notes of its end. */
  end(used: { readonly tokens: TokenCounts; readonly seconds: number }, work: () => void): void {
    this.#store.together(() => {
      this.#totals = { ...addTokens(this.#totals, used.tokens), seconds: this.#totals.seconds + used.seconds };
      this.#store.setTotals(this.#totals);
      work();
    });
  }

  wait(claim: RetryClaim): void {
    this.#store.put(claim);
    this.#leave(claim.issue.id);
    this.retries.set(claim);
  }

  block(claim: BlockedClaim): void {
    this.#store.put(claim);
    this.#leave(claim.issue.id);
    this.#blocked.set(claim.issue.id, claim);
  }

  release(issueId: string, finished: FinishedIssue): void {
    this.#store.release(issueId, finished);
    this.#leave(issueId);
    this.#finished.delete(issueId);
    this.#finished.set(issueId, finished);
    if (this.#finished.size <= maxFinished) return;
    const [oldest = ""] = this.#finished.keys();
    this.#finished.delete(oldest);
    if (!this.isClaimed(oldest)) this.logs.forget(oldest);
  }

  /** Forgets a run whose end could not be written: in the file it is still under way, which the next start mends. */
  drop(issueId: string): void {
    this.#leave(issueId);
  }

  #note(issueId: string, facts: Partial<RunningClaim>): void {
    const active = this.#running.get(issueId);
    if (!active) return;
    const claim = { ...active.claim, ...facts };
    this.#store.put(claim);
    this.#running.set(issueId, { ...active, claim });
  }

  #leave(issueId: string): void {
    this.#running.delete(issueId);
    this.#blocked.delete(issueId);
    this.retries.delete(issueId);
  }
}
