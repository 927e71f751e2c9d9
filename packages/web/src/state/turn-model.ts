import type { HookRunSummary, ThreadTokenUsage, TokenUsageBreakdown, Turn } from "@quire/protocol";
import type { Notice, TurnPlan, TurnState } from "./model.ts";

/** Runs of hooks that are kept of one turn; the oldest go first. */
const hooksKept = 500;

/** A turn while it is put together. Its state is made anew only when something about it changed. */
export class TurnModel {
  readonly id: string;
  /** Table keys by item id: ids are unique within a turn, and nearly always, but not surely, within a thread. */
  readonly keys: Map<string, string> = new Map();
  /** Whether every event since the turn began was heard, so that the server's stored form can add nothing. */
  witnessed = false;
  #state: TurnState;
  #itemIds: string[] = [];
  #stale = false;
  /** What the thread had used when this turn began. */
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

  /** The last item's key, for notices to stand after. */
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

  /** Takes what the server says of the turn itself. What it leaves out stays. */
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
   * Takes what was used as of now. `before` is the last report of the thread, of whatever turn; one that has more in it
   * is of a later turn, and then what this turn began with is known from its own first report only.
   */
  setUsage(usage: ThreadTokenUsage, before: TokenUsageBreakdown | null): void {
    const isEarlier = before !== null && before.totalTokens <= usage.total.totalTokens;
    this.#usedBefore ??= isEarlier ? before : minus(usage.total, usage.last);
    this.#change({ usage, spent: minus(usage.total, this.#usedBefore) });
  }

  /** Takes the beginning or the end of a hook's run. */
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

  /** Whether what is told now happens now. */
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
