import type { ResponseItem, ThreadItem, Turn, UserInput } from "@quire/protocol";
import type { NewLine, SessionMeta, ThreadEvent } from "../store/rollout-line.ts";
import { settledItem } from "./settled-item.ts";
import type { HistoryEntry, ThreadRecord } from "./thread-record.ts";

/** What folding needs to know beyond the record, so that each line costs the same however long the thread is. */
interface FoldState {
  readonly turnIndex: Map<string, number>;
  /** Items of the newest turn, by id. */
  items: Map<string, number>;
  /** Items of older turns that have not ended, such as a command that outlives its turn; the key is turn and item. */
  readonly straggling: Map<string, number>;
  /** Ids of the newest turn's items that were started and not completed. */
  open: Set<string>;
  /** When the newest turn began. */
  startedAtMs: number;
  /** Calls of the model that have got no output yet, and the turn of each. */
  readonly calls: Map<string, { readonly kind: "function_call" | "custom_tool_call"; readonly turnId: string }>;
  /** What each compaction replaced: reverting to before it brings that back. */
  readonly compactions: { readonly turn: number; readonly before: readonly HistoryEntry[] }[];
}

/** Lists carry previews, so that a message of megabytes must not be in each of them. */
const maxPreview = 10_000;

const states = new WeakMap<ThreadRecord, FoldState>();

/** An empty thread, to which lines are applied. */
export function newRecord(meta: SessionMeta, path: string | null): ThreadRecord {
  const createdAtMs = timeOf(meta.timestamp);
  const git = meta.git;
  return {
    meta,
    path,
    name: null,
    gitInfo: git
      ? { sha: git.commit_hash ?? null, branch: git.branch ?? null, originUrl: git.repository_url ?? null }
      : null,
    preview: "",
    turns: [],
    history: [],
    usage: null,
    settings: null,
    createdAtMs,
    updatedAtMs: createdAtMs,
  };
}

/** Applies what one line says. Takes the same time for the millionth line as for the first, reverting excepted. */
export function applyLine(record: ThreadRecord, line: NewLine, atMs: number = Date.now()): void {
  // An open turn that another one follows ended with what was written last, so the time moves only afterwards.
  if (line.type === "thread_event") applyEvent(record, line.payload);
  else if (line.type === "response_item") remember(record, line.payload, line.turnId ?? "");
  else if (line.type === "compacted") compact(record, line.payload.replacement_history, line.turnId);
  if (atMs > record.updatedAtMs && !isRemark(line)) record.updatedAtMs = atMs;
}

/** Naming a thread and the like is no use of it: lists that sort by time keep their order. */
function isRemark(line: NewLine): boolean {
  return line.type === "thread_event" && remarks.has(line.payload.kind);
}

/** Kinds of events that leave the time of the last update as it is. */
export const remarks: ReadonlySet<string> = new Set(["name", "git_info", "settings"]);

/**
 * Ends what no line ended: for a record read from a file whose writer is gone. The turn reads as interrupted at the time
 * of the last line, and items that were under way as what became of them.
 */
export function settle(record: ThreadRecord): void {
  const state = stateOf(record);
  for (const key of state.straggling.keys()) {
    const [turnId = "", itemId = ""] = key.split("\n");
    const turn = record.turns[state.turnIndex.get(turnId) ?? -1];
    if (turn) settleItems(turn, new Set([itemId]));
  }
  state.straggling.clear();
  const last = record.turns.at(-1);
  if (!last) return answerCalls(record);
  settleItems(last, state.open);
  state.open.clear();
  state.items = new Map(last.items.map((item, index) => [item.id, index]));
  if (last.status === "inProgress") interrupt(record, last);
  answerCalls(record);
}

/** A turn as it stands, or `undefined` where the thread has none of that id. */
export function turnOf(record: ThreadRecord, turnId: string): Turn | undefined {
  return record.turns[stateOf(record).turnIndex.get(turnId) ?? -1];
}

function applyEvent(record: ThreadRecord, event: ThreadEvent): void {
  switch (event.kind) {
    case "turn_started":
      return startTurn(record, event);
    case "item_started":
      return putItem(record, event, false);
    case "item_completed":
      return putItem(record, event, true);
    case "turn_completed":
      return completeTurn(record, event);
    case "token_usage":
      record.usage = event.usage;
      return;
    case "settings":
      record.settings = event.settings;
      return;
    case "name":
      record.name = event.name;
      return;
    case "git_info":
      record.gitInfo = event.gitInfo;
      return;
    case "reverted":
      return revert(record, event.beforeTurnId);
  }
}

function startTurn(record: ThreadRecord, event: ThreadEvent & { kind: "turn_started" }): void {
  const state = stateOf(record);
  const previous = record.turns.at(-1);
  if (previous) {
    if (previous.status === "inProgress") {
      settleItems(previous, state.open);
      interrupt(record, previous);
    } else {
      for (const id of state.open) state.straggling.set(`${previous.id}\n${id}`, state.items.get(id) ?? -1);
    }
  }
  answerCalls(record);
  state.startedAtMs = event.startedAtMs;
  state.items = new Map();
  state.open = new Set();
  state.turnIndex.set(event.turnId, record.turns.length);
  record.turns.push({
    id: event.turnId,
    rootTurnId: event.rootTurnId,
    items: [],
    itemsView: "full",
    status: "inProgress",
    error: null,
    startedAt: seconds(event.startedAtMs),
    completedAt: null,
    durationMs: null,
  });
}

function putItem(record: ThreadRecord, event: { turnId: string; item: ThreadItem }, completed: boolean): void {
  const state = stateOf(record);
  const { item, turnId } = event;
  const index = state.turnIndex.get(turnId);
  const turn = record.turns[index ?? -1];
  if (!turn) return;
  if (item.type === "userMessage" && record.preview === "") record.preview = previewOf(item.content);
  if (turn !== record.turns.at(-1)) return putLate(state, { turn, item, completed });
  const at = state.items.get(item.id);
  if (at === undefined) {
    state.items.set(item.id, turn.items.length);
    turn.items.push(item);
  } else {
    turn.items[at] = item;
  }
  if (completed) state.open.delete(item.id);
  else state.open.add(item.id);
}

/** An item of a turn that others have followed: the end of a command, mostly. */
function putLate(state: FoldState, what: { turn: Turn; item: ThreadItem; completed: boolean }): void {
  const { turn, item, completed } = what;
  const key = `${turn.id}\n${item.id}`;
  const at = state.straggling.get(key);
  if (at !== undefined && turn.items[at]?.id === item.id) turn.items[at] = item;
  else turn.items.push(item);
  if (completed) state.straggling.delete(key);
  else if (at === undefined) state.straggling.set(key, turn.items.length - 1);
}

function completeTurn(record: ThreadRecord, event: ThreadEvent & { kind: "turn_completed" }): void {
  const turn = turnOf(record, event.turnId);
  if (!turn) return;
  turn.status = event.status;
  turn.error = event.error;
  turn.completedAt = seconds(event.completedAtMs);
  turn.durationMs = event.durationMs;
}

function compact(record: ThreadRecord, replacement: readonly ResponseItem[], turnId: string | undefined): void {
  const state = stateOf(record);
  const turn = state.turnIndex.get(turnId ?? "") ?? record.turns.length - 1;
  state.compactions.push({ turn, before: record.history.splice(0) });
  state.calls.clear();
  for (const item of replacement) remember(record, item, turnId ?? "");
}

function revert(record: ThreadRecord, beforeTurnId: string): void {
  const state = stateOf(record);
  const first = state.turnIndex.get(beforeTurnId);
  if (first === undefined) return;
  for (let last = state.compactions.at(-1); last && last.turn >= first; last = state.compactions.at(-1)) {
    record.history.length = 0;
    for (const entry of last.before) record.history.push(entry);
    state.compactions.pop();
  }
  // What was injected between two turns stays with the earlier one.
  let cut = record.history.length;
  for (let at = cut - 1; at >= 0; at--) {
    const turnId = record.history[at]?.turnId ?? "";
    const turn = state.turnIndex.get(turnId) ?? -1;
    if (turn >= first) cut = at;
    else if (turnId !== "") break;
  }
  record.history.length = cut;
  const gone = record.turns.splice(first);
  for (const turn of gone) state.turnIndex.delete(turn.id);
  for (const key of state.straggling.keys()) {
    if (!state.turnIndex.has(key.slice(0, key.indexOf("\n")))) state.straggling.delete(key);
  }
  state.calls.clear();
  state.open = new Set();
  state.items = new Map(record.turns.at(-1)?.items.map((item, index) => [item.id, index]));
  if (first === 0) record.preview = "";
}

function settleItems(turn: Turn, open: ReadonlySet<string>): void {
  if (open.size === 0) return;
  turn.items = turn.items.flatMap((item) => {
    if (!open.has(item.id)) return [item];
    const settled = settledItem(item);
    return settled ? [settled] : [];
  });
}

function interrupt(record: ThreadRecord, turn: Turn): void {
  turn.status = "interrupted";
  turn.completedAt = seconds(record.updatedAtMs);
  turn.durationMs = Math.max(0, record.updatedAtMs - stateOf(record).startedAtMs);
}

function remember(record: ThreadRecord, item: ResponseItem, turnId: string): void {
  const { calls } = stateOf(record);
  if (item.type === "function_call" || item.type === "custom_tool_call") {
    calls.set(item.call_id, { kind: item.type, turnId });
  } else if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
    calls.delete(item.call_id ?? "");
  }
  record.history.push({ item, turnId });
}

/** A model refuses a history with calls that nobody answered, as an interruption or a crash leaves them. */
function answerCalls(record: ThreadRecord): void {
  const { calls } = stateOf(record);
  for (const [call_id, { kind, turnId }] of calls) {
    record.history.push({ item: { type: `${kind}_output`, call_id, output: "aborted" }, turnId });
  }
  calls.clear();
}

function stateOf(record: ThreadRecord): FoldState {
  let state = states.get(record);
  if (!state) {
    state = {
      turnIndex: new Map(record.turns.map((turn, index) => [turn.id, index])),
      items: new Map(record.turns.at(-1)?.items.map((item, index) => [item.id, index])),
      straggling: new Map(),
      open: new Set(),
      startedAtMs: (record.turns.at(-1)?.startedAt ?? 0) * 1000,
      calls: new Map(),
      compactions: [],
    };
    states.set(record, state);
  }
  return state;
}

function previewOf(content: readonly UserInput[]): string {
  const texts = content.flatMap((input) => (input.type === "text" ? [input.text] : []));
  return texts.join("\n").trim().slice(0, maxPreview);
}

function timeOf(timestamp: string): number {
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? 0 : ms;
}

const seconds = (ms: number): number => Math.floor(ms / 1000);
