import type { HookRunSummary, ThreadTokenUsage, TokenUsageBreakdown, Turn } from "@quire/protocol";
import type { Notice, TurnPlan, TurnState } from "./snapshot.ts";

/** Bound on the hook runs of one turn; the oldest are dropped. */
const hooksKept = 500;

/** A turn being put together. Its state is rebuilt only after a change. */
export class TurnModel {
  readonly id: string;
  /** Table keys by item id: ids are unique within a turn, and nearly always, but not surely, within a thread. */
  readonly keys: Map<string, string> = new Map();
  /** True when no event was missed since the turn began, so that the stored form can add nothing. */
  witnessed = false;
  #state: TurnState;
  #itemIds: string[] = [];
  #stale = false;
  /** Usage of the thread when this turn began. */
  #usedBefore: TokenUsageBreakdown | null = null;

  constructor(id: string) {
    this.id = id;
    this.#state = emptyTurn(id);
  }

  get status(): Turn["status"] {
    return this.#state.status;
  }

  get ended(): boolean {
    return this.#state.status !== "inProgress";
  }

  get plan(): TurnPlan | null {
    return this.#state.plan;
  }

  get itemIds(): readonly string[] {
    return this.#itemIds;
  }

  /** Key of the last item. */
  get lastItem(): string | null {
    return this.#itemIds.at(-1) ?? null;
  }

  add(key: string): void {
    this.#itemIds.push(key);
    this.#stale = true;
  }

  /** Puts the items into another order, or replaces them. */
  arrange(keys: readonly string[]): void {
    this.#itemIds = [...keys];
    this.#stale = true;
  }

  /** Updates the turn itself; members that the server leaves out stay. */
  describe(turn: Turn): void {
    const { status, error, startedAt, completedAt, durationMs } = this.#state;
    this.#change({
      status: turn.status ?? status,
      error: turn.error ?? error,
      startedAt: turn.startedAt ?? startedAt,
      completedAt: turn.completedAt ?? completedAt,
      durationMs: turn.durationMs ?? durationMs,
    });
  }

  setDiff(diff: string): void {
    this.#change({ diff });
  }

  setPlan(plan: TurnPlan): void {
    this.#change({ plan });
  }

  /**
   * Sets the usage as of now. `before` is the thread's report before this one, of any turn. If it is larger, it belongs to
   * a later turn, and only this turn's own first report says what the turn began with.
   */
  setUsage(usage: ThreadTokenUsage, before: TokenUsageBreakdown | null): void {
    const isEarlier = before !== null && before.totalTokens <= usage.total.totalTokens;
    this.#usedBefore ??= isEarlier ? before : minus(usage.total, usage.last);
    this.#change({ usage, spent: minus(usage.total, this.#usedBefore) });
  }

  /** Adds the beginning of a hook's run, or updates it with its end. */
  setHook(run: HookRunSummary): void {
    const { hooks } = this.#state;
    const at = hooks.findLastIndex((hook) => hook.run.id === run.id && hook.run.startedAt === run.startedAt);
    const known = hooks[at];
    // A replayed beginning must not undo the end.
    if (known !== undefined && run.status === "running") return;
    this.#change({
      hooks:
        known === undefined
          ? [...hooks.slice(1 - hooksKept), { run, afterItem: this.#isLive ? this.lastItem : undefined }]
          : hooks.with(at, { ...known, run }),
    });
  }

  notice(notice: Notice): void {
    this.#change({ notices: [...this.#state.notices, notice] });
  }

  /** The same object until something changed. */
  state(): TurnState {
    if (this.#stale) {
      this.#stale = false;
      this.#state = { ...this.#state, itemIds: [...this.#itemIds] };
    }
    return this.#state;
  }

  /** True while notifications arrive as things happen, rather than as a replay. */
  get #isLive(): boolean {
    return this.witnessed && !this.ended;
  }

  #change(part: Partial<TurnState>): void {
    this.#state = { ...this.#state, ...part };
  }
}

function emptyTurn(id: string): TurnState {
  return {
    id,
    status: "inProgress",
    error: null,
    startedAt: null,
    completedAt: null,
    durationMs: null,
    diff: null,
    plan: null,
    usage: null,
    spent: null,
    itemIds: [],
    notices: [],
    hooks: [],
  };
}

function minus(a: TokenUsageBreakdown, b: TokenUsageBreakdown): TokenUsageBreakdown {
  return {
    cachedInputTokens: a.cachedInputTokens - b.cachedInputTokens,
    inputTokens: a.inputTokens - b.inputTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    reasoningOutputTokens: a.reasoningOutputTokens - b.reasoningOutputTokens,
    totalTokens: a.totalTokens - b.totalTokens,
  };
}
