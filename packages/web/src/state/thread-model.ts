import type { HookRunSummary, ThreadItem, ThreadTokenUsage, Turn } from "@quire/protocol";
import { applyDeltas, type DeltaBuffer, type DeltaField, impliedItem } from "./item-deltas.ts";
import { ItemTable } from "./item-table.ts";
import type { ItemState, Notice, ThreadSettingsState, ThreadState } from "./model.ts";
import { SetAside } from "./set-aside.ts";
import { reportedSettings, type SettingsReport, unknownSettings } from "./thread-settings.ts";
import { TurnModel } from "./turn-model.ts";

/** What of a thread's state comes from its content. */
export type ThreadContent = Omit<
  ThreadState,
  "summary" | "pending" | "queue" | "loadingOlder" | "loading" | "error" | "version"
>;

/** How far an item is, and when it began and ended as far as that is known. */
interface ItemProgress {
  readonly done: boolean;
  readonly startedAtMs?: number | null | undefined;
  readonly completedAtMs?: number | null | undefined;
}

/** The item that a delta is for. */
interface DeltaPlace {
  readonly turnId: string;
  readonly itemId: string;
}

/**
 * The content of one open thread, put together from what the server stored and from what it tells meanwhile.
 *
 * Events are taken at once and cost what they carry; `content()` is asked once a frame and costs what changed since.
 */
export class ThreadModel {
  /** Work done so far, in appended deltas and rebuilt items: the test of linear cost counts it. */
  readonly work: { deltas: number; rebuilt: number } = { deltas: 0, rebuilt: 0 };
  readonly #turns = new Map<string, TurnModel>();
  readonly #table = new Map<string, ItemState>();
  readonly #buffers = new Map<string, DeltaBuffer>();
  #order: TurnModel[] = [];
  #content: ThreadContent | null = null;
  #items: ItemTable = new ItemTable(this.#table);
  #usage: ThreadTokenUsage | null = null;
  #settings: ThreadSettingsState;
  #notices: readonly Notice[] = [];
  #noticeCount = 0;
  #earlyHooks: readonly HookRunSummary[] = [];
  readonly #warned = new Set<string>();
  readonly #aside = new SetAside();
  #olderCursor: string | null = null;

  constructor(cwd: string) {
    this.#settings = unknownSettings(cwd);
  }

  /** The turns, oldest first. */
  get turns(): readonly TurnModel[] {
    return this.#order;
  }

  /** The turn in progress. */
  get activeTurn(): TurnModel | null {
    const last = this.#order.findLast((turn) => !turn.ended);
    return last ?? null;
  }

  /**
   * Changes what is beside a turn's items: its plan, its diff, what it cost. Where the turn is not here, as when it is
   * further back in the history than what is loaded, that waits until it is.
   */
  updateTurn(turnId: string, change: (turn: TurnModel) => void): void {
    const turn = this.#turns.get(turnId);
    if (turn !== undefined) change(turn);
    else this.#aside.add(turnId, change);
    this.touch();
  }

  /** The turn of an id; made, as one whose beginning was missed, where it is not known. */
  turn(id: string): TurnModel {
    const known = this.#turns.get(id);
    if (known !== undefined) return known;
    const turn = new TurnModel(id);
    this.#turns.set(id, turn);
    this.#order.push(turn);
    this.#aside.apply(turn);
    this.touch();
    return turn;
  }

  /** Whether a turn is known. */
  has(turnId: string): boolean {
    return this.#turns.has(turnId);
  }

  /** Takes the turns in this order; those left out are dropped. */
  arrange(turns: readonly TurnModel[]): void {
    const kept = new Set(turns);
    for (const turn of this.#order) if (!kept.has(turn)) this.#drop(turn);
    this.#order = [...turns];
    for (const turn of turns) this.#turns.set(turn.id, turn);
    this.touch();
  }

  /** What the server says of a turn, without its items. */
  describeTurn(turn: Turn): void {
    this.turn(turn.id).describe(turn);
    this.touch();
  }

  /** Takes an item as a whole. Deltas that were not yet shown are in it already. */
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

  /** Appends to an item; what was missed of it comes with its end. */
  appendDelta({ turnId, itemId }: DeltaPlace, field: DeltaField, text: string): void {
    const turn = this.turn(turnId);
    if (!turn.keys.has(itemId)) this.putItem(turn, impliedItem(itemId, field, this.#settings.cwd), { done: false });
    const key = this.#keyOf(turn, itemId);
    // A done item is whole: what still comes for it was on its way before.
    if (this.#table.get(key)?.done === true) return;
    const buffer: DeltaBuffer = this.#buffers.get(key) ?? new Map();
    this.#buffers.set(key, buffer);
    const chunks = buffer.get(field);
    if (chunks === undefined) buffer.set(field, [text]);
    else chunks.push(text);
    this.work.deltas++;
    this.touch();
  }

  /** Changes an item that is known; does nothing for one that is not. */
  updateItem(turnId: string, itemId: string, change: (state: ItemState) => ItemState): void {
    const key = this.#turns.get(turnId)?.keys.get(itemId);
    const state = key === undefined ? undefined : this.#table.get(key);
    if (key !== undefined && state !== undefined) this.#set(key, change(state));
  }

  /** A model response broke off and is asked for again: what it had said so far will be said anew. */
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

  /** The item behind a key, without deltas of this frame. */
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
   * Takes a warning about the thread. The same one is shown once, however many turns bring it; one that comes before its
   * turn is shown at the turn's beginning.
   */
  warn(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.notice(this.activeTurn?.id ?? null, { level: "warning", text, details: null });
  }

  /** What was said, and done by hooks, before a turn began belongs to it. */
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

  /** Takes a hook's run. One that belongs to no turn is shown with the turn that is there, else with the first. */
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

  /** Events were missed: what the server stored of unfinished turns is better than what is here. */
  missedEvents(): void {
    for (const turn of this.#order) if (!turn.ended) turn.witnessed = false;
  }

  /** Says that the content is no longer what `content()` last gave. */
  touch(): void {
    this.#content = null;
  }

  /** The content as of now; the same object until something changed. */
  content(): ThreadContent {
    for (const [key, buffer] of this.#buffers) {
      const state = this.#table.get(key);
      if (state !== undefined) this.#set(key, applyDeltas(state, buffer));
    }
    this.#buffers.clear();
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

  #set(key: string, state: ItemState): void {
    this.#table.set(key, state);
    this.#items = new ItemTable(this.#table);
    this.work.rebuilt++;
    this.touch();
  }

  /** Finds or makes the key of an item; one that is taken by another turn gets the turn's id in front. */
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
