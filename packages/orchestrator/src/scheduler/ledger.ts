import type { Logger } from "../events/events.ts";
import type { FinishedIssue, TokenCounts } from "../events/snapshot.ts";
import type { Clock } from "../lib/clock.ts";
import { addTokens } from "../session/token-meter.ts";
import { addToDay, type DaySpent, dayOf } from "../state/budget.ts";
import type { BlockedClaim, Claim, RetryClaim, RunningClaim } from "../state/claim.ts";
import type { ClaimStore, EndedTotals, FinishedSearch } from "../state/claims.ts";
import { IssueLogs } from "../state/issue-logs.ts";
import { SaveNotices } from "../state/save-notices.ts";
import { RetryQueue } from "./retry-queue.ts";
import type { Run } from "./run.ts";

/** A run with the claim that was written for it. */
export interface ActiveRun {
  readonly claim: RunningClaim;
  readonly run: Run;
}

/** Usage of a run. */
interface RunUse {
  readonly tokens: TokenCounts;
  readonly turns: number;
  readonly seconds: number;
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
  #day: DaySpent | undefined;
  #finishedCount: number;
  #finishedVersion = 0;
  readonly retries: RetryQueue;
  readonly logs: IssueLogs;
  readonly notices: SaveNotices;

  constructor({ store, clock, log, fire }: LedgerOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#totals = store.totals();
    this.#day = store.day();
    this.#finishedCount = store.finishedCount();
    this.retries = new RetryQueue(clock, fire);
    this.notices = new SaveNotices(log, clock);
    this.logs = new IssueLogs(store.timelines, clock, (error) => this.notices.failed("timeline entries", error));
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

  /** Usage of the last day on which something ran. */
  get day(): DaySpent | undefined {
    return this.#day;
  }

  /** All finished issues, also those that are not remembered in full. */
  get finishedCount(): number {
    return this.#finishedCount;
  }

  /** The end of an issue's last run before it was released: a person may have sent it back. */
  lastEnd(issueId: string): FinishedIssue | undefined {
    return this.#finished.get(issueId) ?? this.#store.finishedIssue(issueId);
  }

  /** A finished issue by its identifier or id, however long ago it finished. */
  finishedNamed(name: string): FinishedIssue | undefined {
    for (const one of this.#finished.values()) if (one.identifier === name || one.issueId === name) return one;
    const stored = this.#store.finishedIssue(name) ?? this.#store.finishedByName(name);
    return stored && this.isClaimed(stored.issueId) ? undefined : stored;
  }

  /** Another number whenever finished issues have changed. */
  get finishedVersion(): number {
    return this.#finishedVersion;
  }

  /** Finished issues that have these words; see {@link ClaimStore.searchFinished}. */
  searchFinished(words: string, limit: number, without: ReadonlySet<string>): FinishedSearch {
    return this.#store.searchFinished(words, limit, without);
  }

  /** Notes that a finished issue's folder is gone. */
  noteRemoved(issueId: string): void {
    const finished = this.lastEnd(issueId);
    if (!finished || finished.workspace === null) return;
    const changed = { ...finished, workspace: null };
    this.#store.remember(changed);
    this.#finishedVersion++;
    if (this.#finished.has(issueId)) this.#finished.set(issueId, changed);
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
    this.#store.begin(claim);
    this.#leave(claim.issue.id);
    // Its history continues with the claim.
    this.#finished.delete(claim.issue.id);
    this.#finishedCount = this.#store.finishedCount();
    this.#finishedVersion++;
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
    const { turnCount: turns, tokens, threadId, seconds } = state;
    this.#note(issueId, { progress: { turns, tokens, threadId, seconds } });
  }

  /** Adds a run to the totals, together with all that `work` notes of its end. */
  end(used: RunUse, work: () => void): void {
    this.#store.together(() => {
      this.#day = addToDay(this.#day, dayOf(this.#clock), { ...used.tokens, turns: used.turns });
      this.#store.setDay(this.#day);
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
    this.#finishedCount = this.#store.finishedCount();
    this.#finishedVersion++;
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
