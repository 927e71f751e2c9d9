import type { HookRunSummary, ThreadItem, ThreadTokenUsage, Turn } from "@quire/protocol";
import { DeferredChanges } from "./deferred-changes.ts";
import { applyDeltas, type DeltaBuffer, type DeltaField, impliedItem } from "./item-deltas.ts";
import { ItemTable } from "./item-table.ts";
import type { ItemState, Notice, ThreadSettingsState, ThreadSnapshot } from "./snapshot.ts";
import { reportedSettings, type SettingsReport, unknownSettings } from "./thread-settings.ts";
import { TurnModel } from "./turn-model.ts";

interface ItemProgress {
  readonly done: boolean;
  readonly startedAtMs?: number | null | undefined;
  readonly completedAtMs?: number | null | undefined;
}

/** The turn and item that a delta is for. */
interface DeltaTarget {
  readonly turnId: string;
  readonly itemId: string;
}

/**
 * The content of one thread, put together from stored turns and notifications. Notifications cost what they carry;
 * `content()` is asked once a frame and costs what changed since.
 */
export class ThreadModel {
  readonly #turns = new Map<string, TurnModel>();
  readonly #table = new Map<string, ItemState>();
  readonly #buffers = new Map<string, DeltaBuffer>();
  #order: TurnModel[] = [];
  #content: ThreadSnapshot | null = null;
  #items: ItemTable = new ItemTable(this.#table);
  #usage: ThreadTokenUsage | null = null;
  #settings: ThreadSettingsState;
  #notices: readonly Notice[] = [];
  #noticeCount = 0;
  #earlyHooks: readonly HookRunSummary[] = [];
  readonly #warned = new Set<string>();
  readonly #deferred = new DeferredChanges();
  /** Turns that are shown as part of another, by their id. */
  readonly #parts = new Map<string, string>();
  #olderCursor: string | null = null;
  readonly #changed: () => void;

  /** @param changed Called whenever `content()` would give something else. */
  constructor(cwd: string, changed: () => void) {
    this.#settings = unknownSettings(cwd);
    this.#changed = changed;
  }

  /** The turns, oldest first. */
  get turns(): readonly TurnModel[] {
    return this.#order;
  }

  /** The turn in progress. */
  get activeTurn(): TurnModel | null {
    return this.#order.findLast((turn) => !turn.ended) ?? null;
  }

  /** Changes a turn's plan, diff, usage or hooks. For a turn that is not loaded yet, the change waits until it is. */
  updateTurn(turnId: string, change: (turn: TurnModel) => void): void {
    const turn = this.#turns.get(turnId);
    if (turn !== undefined) change(turn);
    else this.#deferred.add(turnId, change);
    this.touch();
  }

  /** Finds a turn, or adds it as one whose beginning was missed. */
  turn(id: string): TurnModel {
    const known = this.#turns.get(id);
    if (known !== undefined) return known;
    const turn = new TurnModel(id);
    this.#turns.set(id, turn);
    this.#order.push(turn);
    this.#deferred.apply(turn);
    this.touch();
    return turn;
  }

  /** Shows what follows of a turn in the turn that began it, where that still runs here; false where it does not. */
  joinRoot(turnId: string, rootTurnId: string | null | undefined): boolean {
    if (!rootTurnId || rootTurnId === turnId || this.#turns.get(rootTurnId)?.ended !== false) return false;
    this.#parts.set(turnId, rootTurnId);
    return true;
  }

  /** The turn that another is shown in; itself for most. */
  rootOf(turnId: string): string {
    return this.#parts.get(turnId) ?? turnId;
  }

  has(turnId: string): boolean {
    return this.#turns.has(turnId);
  }

  /** Puts the turns into this order; those left out are dropped. */
  arrange(turns: readonly TurnModel[]): void {
    const kept = new Set(turns);
    for (const turn of this.#order) if (!kept.has(turn)) this.#drop(turn);
    this.#order = [...turns];
    for (const turn of turns) this.#turns.set(turn.id, turn);
    this.touch();
  }

  /** Updates a turn without its items. */
  describeTurn(turn: Turn): void {
    this.turn(turn.id).describe(turn);
    this.touch();
  }

  /** Puts a whole item. It includes the deltas that were not folded in yet. */
  putItem(turn: TurnModel, item: ThreadItem, { done, ...times }: ItemProgress): string {
    const key = this.#keyOf(turn, item.id);
    const before = this.#table.get(key);
    this.#buffers.delete(key);
    this.#set(key, {
      item,
      turnId: turn.id,
      done,
      startedAtMs: times.startedAtMs ?? item.startedAtMs ?? before?.startedAtMs ?? null,
      completedAtMs: times.completedAtMs ?? item.completedAtMs ?? before?.completedAtMs ?? null,
      progress: done ? null : (before?.progress ?? null),
      clipped: false,
    });
    return key;
  }

  /** Appends to an item. Text that was missed comes with the item's end. */
  appendDelta({ turnId, itemId }: DeltaTarget, field: DeltaField, text: string): void {
    const turn = this.turn(turnId);
    if (!turn.keys.has(itemId)) this.putItem(turn, impliedItem(itemId, field, this.#settings.cwd), { done: false });
    const key = this.#keyOf(turn, itemId);
    // A done item is whole; a late delta is in it already.
    if (this.#table.get(key)?.done === true) return;
    const buffer: DeltaBuffer = this.#buffers.get(key) ?? new Map();
    this.#buffers.set(key, buffer);
    const chunks = buffer.get(field);
    if (chunks === undefined) buffer.set(field, [text]);
    else chunks.push(text);
    this.touch();
  }

  /** Changes an item that is known; does nothing for one that is not. */
  updateItem(turnId: string, itemId: string, change: (state: ItemState) => ItemState): void {
    const key = this.#turns.get(turnId)?.keys.get(itemId);
    const state = key === undefined ? undefined : this.#table.get(key);
    if (key !== undefined && state !== undefined) this.#set(key, change(state));
  }

  /** Drops unfinished messages and reasoning: the model response broke off and is streamed again. */
  dropUnfinishedSpeech(turnId: string): void {
    const turn = this.#turns.get(turnId);
    if (turn === undefined) return;
    const isSpeech = (key: string): boolean => {
      const state = this.#table.get(key);
      return (
        state !== undefined && !state.done && (state.item.type === "agentMessage" || state.item.type === "reasoning")
      );
    };
    for (const [itemId, key] of [...turn.keys]) {
      if (!isSpeech(key)) continue;
      turn.keys.delete(itemId);
      this.#table.delete(key);
      this.#buffers.delete(key);
    }
    turn.arrange(turn.itemIds.filter((key) => this.#table.has(key)));
    this.touch();
  }

  /** The item behind a key, without deltas since the last `content()`. */
  item(key: string): ItemState | undefined {
    return this.#table.get(key);
  }

  /** Adds a notice to a turn, or to the thread where none is named. */
  notice(turnId: string | null, notice: Omit<Notice, "id" | "afterItem">): void {
    const id = `notice-${this.#noticeCount++}`;
    if (turnId === null) this.#notices = [...this.#notices.slice(-49), { ...notice, id, afterItem: null }];
    else {
      const turn = this.turn(turnId);
      turn.notice({ ...notice, id, afterItem: turn.lastItem });
    }
    this.touch();
  }

  /**
   * Adds a warning about the thread, once for each text. One that comes before its turn is moved to the turn's beginning
   * by {@link claimNotices}.
   */
  warn(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.notice(this.activeTurn?.id ?? null, { level: "warning", text, details: null });
  }

  /** Moves the notices and hook runs from before a turn into the turn. */
  claimNotices(turn: TurnModel): void {
    for (const notice of this.#notices) turn.notice(notice);
    for (const run of this.#earlyHooks) turn.setHook(run);
    this.#notices = [];
    this.#earlyHooks = [];
    this.touch();
  }

  setUsage(turnId: string, usage: ThreadTokenUsage): void {
    const before = this.#usage?.total ?? null;
    this.updateTurn(turnId, (turn) => turn.setUsage(usage, before));
    this.#usage = usage;
  }

  /** Adds or updates a hook's run. One that names no turn belongs to the last turn, or else to the first to come. */
  setHook(turnId: string | null, run: HookRunSummary): void {
    const turn = turnId ?? this.#order.at(-1)?.id ?? null;
    if (turn === null) this.#earlyHooks = [...this.#earlyHooks.slice(-49), run];
    else this.updateTurn(turn, (known) => known.setHook(run));
  }

  setSettings(report: SettingsReport): void {
    this.#settings = reportedSettings(this.#settings, report);
    this.touch();
  }

  get olderCursor(): string | null {
    return this.#olderCursor;
  }

  set olderCursor(cursor: string | null) {
    this.#olderCursor = cursor;
    this.touch();
  }

  /** Marks unfinished turns as incomplete: their stored form is better than what is here. */
  missedEvents(): void {
    for (const turn of this.#order) if (!turn.ended) turn.witnessed = false;
  }

  /** Invalidates the content. */
  touch(): void {
    this.#content = null;
    this.#changed();
  }

  /** The content as of now; the same object until something changed. */
  content(): ThreadSnapshot {
    if (this.#buffers.size > 0) this.#foldDeltas();
    this.#content ??= {
      turns: this.#order.map((turn) => turn.state()),
      items: this.#items,
      usage: this.#usage,
      olderCursor: this.#olderCursor,
      settings: this.#settings,
      notices: this.#notices,
      activeTurn: this.activeTurn?.id ?? null,
    };
    return this.#content;
  }

  /** Makes a new item for each that got deltas, however many. Reading the content is no change, so nobody is notified. */
  #foldDeltas(): void {
    for (const [key, buffer] of this.#buffers) {
      const state = this.#table.get(key);
      if (state !== undefined) this.#table.set(key, applyDeltas(state, buffer));
    }
    this.#buffers.clear();
    this.#items = new ItemTable(this.#table);
    this.#content = null;
  }

  #set(key: string, state: ItemState): void {
    this.#table.set(key, state);
    this.#items = new ItemTable(this.#table);
    this.touch();
  }

  /** The key of an item: its id, prefixed by the turn's id where another turn has an item of that id. */
  #keyOf(turn: TurnModel, itemId: string): string {
    const known = turn.keys.get(itemId);
    if (known !== undefined) return known;
    const key = this.#table.has(itemId) ? `${turn.id}:${itemId}` : itemId;
    turn.keys.set(itemId, key);
    turn.add(key);
    return key;
  }

  #drop(turn: TurnModel): void {
    this.#turns.delete(turn.id);
    for (const key of turn.keys.values()) {
      this.#table.delete(key);
      this.#buffers.delete(key);
    }
  }
}
