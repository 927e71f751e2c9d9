import {
  type ActionResult,
  type BoardAction,
  type BoardQuery,
  type Card,
  type Column,
  columnNames,
} from "../../src/events/board.ts";
import type { CommandResult, OrchestratorControl } from "../../src/events/control.ts";
import type { EventListener, OrchestratorEvent } from "../../src/events/events.ts";
import { cutDiff, type IssueDiff } from "../../src/events/issue-diff.ts";
import type {
  BlockedEntry,
  FinishedIssue,
  IssueDetail,
  RetryEntry,
  RunningRun,
  Snapshot,
} from "../../src/events/snapshot.ts";

/** A fixed instant, so that what is shown can be compared. */
export const now: number = Date.UTC(2026, 1, 24, 20, 15, 30);

const tokens = { inputTokens: 1200, outputTokens: 800, totalTokens: 2000 };

/** A run under way. */
export function run(more: Partial<RunningRun> = {}): RunningRun {
  return {
    issueId: "abc123",
    identifier: "MT-649",
    title: "Log in",
    url: "https://tracker.example/issues/MT-649",
    state: "In Progress",
    priority: 2,
    runId: "run-1",
    attempt: 1,
    phase: "StreamingTurn",
    workspace: "/work/MT-649",
    host: null,
    threadId: "thread-1",
    turnId: "turn-1",
    sessionId: "thread-1-turn-1",
    pid: 4711,
    turnCount: 7,
    startedAt: now - 312_000,
    lastEvent: { at: now - 31_000, kind: "turn_completed", message: "Working on tests", name: null, run: 1 },
    lastEventAt: now - 31_000,
    tokens,
    ...more,
  };
}

/** An issue that waits. */
export function retry(more: Partial<RetryEntry> = {}): RetryEntry {
  return {
    issueId: "def456",
    identifier: "MT-650",
    title: "Log out",
    url: null,
    state: "Todo",
    attempt: 3,
    dueAt: now + 30_000,
    error: "no available orchestrator slots",
    workspace: "/work/MT-650",
    threadId: "thread-2",
    ...more,
  };
}

/** An issue that needs a person. */
function blocked(more: Partial<BlockedEntry> = {}): BlockedEntry {
  return {
    issueId: "ghi789",
    identifier: "MT-651",
    title: "Delete everything",
    url: null,
    state: "Todo",
    attempt: 0,
    since: now - 5000,
    reason: { code: "approval_required", message: "The agent wants to run rm." },
    workspace: null,
    threadId: "thread-3",
    sessionId: "thread-3-turn-1",
    ...more,
  };
}

/** An issue that is done. */
function finished(more: Partial<FinishedIssue> = {}): FinishedIssue {
  return {
    issueId: "jkl012",
    identifier: "MT-600",
    title: "First steps",
    url: null,
    state: "Done",
    outcome: "Succeeded",
    reason: "terminal",
    attempts: 1,
    turnCount: 2,
    at: now - 60_000,
    tokens,
    threadId: "thread-0",
    workspace: null,
    error: null,
    ...more,
  };
}

/** A state with one issue of each kind. */
export function snapshotOf(more: Partial<Snapshot> = {}): Snapshot {
  return {
    generatedAt: now,
    startedAt: now - 3_600_000,
    workflowPath: "/app/WORKFLOW.md",
    trackerKind: "folder",
    mode: "running",
    pollIntervalMs: 30_000,
    maxConcurrentAgents: 10,
    hosts: [],
    running: [run()],
    retrying: [retry()],
    blocked: [blocked()],
    finished: [finished()],
    finishedCount: 1,
    waiting: [],
    waitingCount: 0,
    totals: { inputTokens: 5000, outputTokens: 2400, totalTokens: 7400, secondsRunning: 1834.24 },
    rateLimits: null,
    health: {
      workflowError: null,
      trackerError: null,
      budgetError: null,
      lastTickAt: now - 1000,
      nextTickAt: now + 29_000,
    },
    ...more,
  };
}

/** An orchestrator that only remembers what it was told. */
export class FakeControl implements OrchestratorControl {
  state: Snapshot = snapshotOf();
  fails: Error | undefined;
  cards: Card[] = [];
  diffs: Readonly<Record<string, string>> = {};
  readonly commands: string[] = [];
  readonly listeners: Set<EventListener> = new Set();

  snapshot(): Snapshot {
    if (this.fails) throw this.fails;
    return this.state;
  }

  issue(identifier: string): IssueDetail | undefined {
    const running = this.state.running.find((each) => each.identifier === identifier);
    if (running === undefined) return undefined;
    return {
      issueId: running.issueId,
      identifier,
      status: "running",
      workspace: running.workspace,
      waiting: null,
      running,
      retry: null,
      blocked: null,
      finished: null,
      delivery: null,
      runs: 2,
      turns: 7,
      tokens,
      usd: null,
      lastError: null,
      timeline: [
        { at: now - 31_000, kind: "notification", message: "Working on tests", name: "item/completed", run: 2 },
      ],
    };
  }

  board(query: BoardQuery): readonly Column[] {
    this.snapshot();
    return columnNames.map((name) => {
      const cards = this.cards.filter((card) => card.column === name && card.identifier.includes(query.search));
      return { name, count: cards.length, cards: cards.slice(0, query.limit) };
    });
  }

  async diff(identifier: string): Promise<IssueDiff | undefined> {
    this.snapshot();
    const text = this.diffs[identifier];
    return text === undefined ? undefined : cutDiff(text);
  }

  async act(identifier: string, action: BoardAction): Promise<ActionResult> {
    if (identifier === "NONE") return { code: "issue_not_found", message: "None." };
    this.commands.push(`${JSON.stringify(action)} ${identifier}`);
    return undefined;
  }

  refresh() {
    const coalesced = this.commands.includes("refresh");
    this.commands.push("refresh");
    return { queued: true, coalesced, requestedAt: now, operations: ["poll", "reconcile"] } as const;
  }

  pause(): void {
    this.commands.push("pause");
    this.change({ mode: "paused" });
  }

  resume(): void {
    this.commands.push("resume");
    this.change({ mode: "running" });
  }

  retry(identifier: string): CommandResult {
    return this.#command(`retry ${identifier}`, identifier, this.state.retrying);
  }

  stop(identifier: string): CommandResult {
    return this.#command(`stop ${identifier}`, identifier, this.state.running);
  }

  subscribe(listener: EventListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Changes the state and tells so. */
  change(more: Partial<Snapshot>): void {
    this.state = { ...this.state, ...more };
    this.emit({ type: "changed", at: now });
  }

  emit(event: OrchestratorEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  #command(text: string, identifier: string, fitting: readonly { readonly identifier: string }[]): CommandResult {
    const { running, retrying, blocked: waiting } = this.state;
    if (![...running, ...retrying, ...waiting].some((each) => each.identifier === identifier)) return "issue_not_found";
    if (!fitting.some((each) => each.identifier === identifier)) return "not_applicable";
    this.commands.push(text);
    return "done";
  }
}
