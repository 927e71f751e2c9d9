import type { ThreadItem, Turn, UserInput } from "@quire/protocol";
import { characterBoundary } from "../lib/character-boundary.ts";
import { toSeconds } from "../lib/seconds.ts";
import { addContext, answerCalls, compact, remember, revertHistory } from "./fold-history.ts";
import { itemsOfLast } from "./fold-state.ts";
import { Makers } from "./makers.ts";
import type { NewLine, SessionMeta, ThreadEvent } from "./rollout-line.ts";
import { settledItem } from "./settled-item.ts";
import type { ThreadRecord } from "./thread-record.ts";

/** Lists carry previews, which a message of megabytes must not fill. */
const maxPreview = 10_000;

/** Kinds of events that leave the time of the last update as it is: naming a thread and the like is no use of it. */
export const remarks: ReadonlySet<string> = new Set(["name", "git_info", "settings", "context", "tools"]);

/** An empty thread, to which lines are applied. */
export function newRecord(meta: SessionMeta, path: string | null): ThreadRecord {
  const createdAtMs = Date.parse(meta.timestamp) || 0;
  const { git } = meta;
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
    makers: new Makers(meta.model_provider),
    context: new Map(),
    tools: null,
    usage: null,
    settings: null,
    createdAtMs,
    updatedAtMs: createdAtMs,
    fold: {
      turnIndex: new Map(),
      items: new Map(),
      open: new Set(),
      startedAtMs: 0,
      straggling: new Map(),
      calls: new Map(),
      compactions: [],
    },
  };
}

/** Applies one line, in constant time except for reverts. */
export function applyLine(record: ThreadRecord, line: NewLine, atMs: number = Date.now()): void {
  if (line.type === "thread_event") applyEvent(record, line.payload);
  else if (line.type === "response_item") {
    if (line.provider !== undefined) record.makers.set(line.payload, line.provider);
    remember(record, line.payload, line.turnId ?? "");
  } else if (line.type === "compacted") compact(record, line.payload.replacement_history, line.turnId);
  const remark = line.type === "session_meta" || (line.type === "thread_event" && remarks.has(line.payload.kind));
  if (atMs > record.updatedAtMs && !remark) record.updatedAtMs = atMs;
}

/** Ends unfinished work in a record whose writer is gone, as interrupted. */
export function settle(record: ThreadRecord): void {
  const state = record.fold;
  for (const key of state.straggling.keys()) {
    const [turnId = "", itemId = ""] = key.split("\n");
    const turn = turnOf(record, turnId);
    if (turn) settleItems(turn, new Set([itemId]));
  }
  state.straggling.clear();
  answerCalls(record);
  const last = record.turns.at(-1);
  if (!last) return;
  settleItems(last, state.open);
  state.open.clear();
  state.items = itemsOfLast(record);
  if (last.status === "inProgress") interrupt(last);
}

function turnOf(record: ThreadRecord, turnId: string): Turn | undefined {
  return record.turns[record.fold.turnIndex.get(turnId) ?? -1];
}

function applyEvent(record: ThreadRecord, event: ThreadEvent): void {
  switch (event.kind) {
    case "turn_started":
      startTurn(record, event);
      break;
    case "item_started":
    case "item_completed":
      putItem(record, event);
      break;
    case "turn_completed":
      completeTurn(record, event);
      break;
    case "token_usage":
      record.usage = event.usage;
      break;
    case "cost": {
      const { turnId, usd } = event;
      const before = record.costs;
      const turn = before?.turnId === turnId ? before.turn : 0;
      record.costs = { thread: (before?.thread ?? 0) + usd, turnId, turn: turn + usd };
      break;
    }
    case "settings":
      record.settings = event.settings;
      break;
    case "name":
      record.name = event.name;
      break;
    case "git_info":
      record.gitInfo = event.gitInfo;
      break;
    case "context":
      addContext(record, event.sections, event.turnId);
      break;
    case "tools":
      record.tools = event.tools;
      break;
    case "preview":
      record.preview ||= shortened(event.preview);
      break;
    case "reverted":
      revert(record, event.beforeTurnId);
  }
}

function startTurn(record: ThreadRecord, event: ThreadEvent & { kind: "turn_started" }): void {
  const state = record.fold;
  const previous = record.turns.at(-1);
  if (previous?.status === "inProgress") {
    settleItems(previous, state.open);
    interrupt(previous);
  } else if (previous) {
    for (const id of state.open) state.straggling.set(`${previous.id}\n${id}`, state.items.get(id) ?? -1);
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
    startedAt: toSeconds(event.startedAtMs),
    completedAt: null,
    durationMs: null,
  });
}

function putItem(record: ThreadRecord, event: ThreadEvent & { kind: "item_started" | "item_completed" }): void {
  const state = record.fold;
  const { item } = event;
  const turn = turnOf(record, event.turnId);
  if (!turn) return;
  if (item.type === "userMessage" && record.preview === "") {
    record.preview = previewOf(item.content);
  }
  if (turn !== record.turns.at(-1)) {
    putLate(record, turn, event);
    return;
  }
  const at = state.items.get(item.id);
  if (at === undefined) {
    state.items.set(item.id, turn.items.length);
    turn.items.push(item);
  } else {
    turn.items[at] = item;
  }
  if (event.kind === "item_completed") state.open.delete(item.id);
  else state.open.add(item.id);
}

/** An item of an older turn: mostly the end of a command. */
function putLate(record: ThreadRecord, turn: Turn, event: { readonly kind: string; readonly item: ThreadItem }): void {
  const { straggling } = record.fold;
  const { item } = event;
  const key = `${turn.id}\n${item.id}`;
  const known = straggling.get(key) ?? -1;
  const at = turn.items[known]?.id === item.id ? known : turn.items.length;
  turn.items[at] = item;
  if (event.kind === "item_completed") straggling.delete(key);
  else straggling.set(key, at);
}

function completeTurn(record: ThreadRecord, event: ThreadEvent & { kind: "turn_completed" }): void {
  const turn = turnOf(record, event.turnId);
  if (!turn) return;
  turn.status = event.status;
  turn.error = event.error;
  turn.completedAt = toSeconds(event.completedAtMs);
  turn.durationMs = event.durationMs;
}

function revert(record: ThreadRecord, beforeTurnId: string): void {
  const state = record.fold;
  const first = state.turnIndex.get(beforeTurnId);
  if (first === undefined) return;
  revertHistory(record, first);
  for (const turn of record.turns.splice(first)) state.turnIndex.delete(turn.id);
  for (const key of state.straggling.keys()) {
    if (!state.turnIndex.has(key.slice(0, key.indexOf("\n")))) state.straggling.delete(key);
  }
  state.open = new Set();
  state.items = itemsOfLast(record);
}

function settleItems(turn: Turn, open: ReadonlySet<string>): void {
  if (open.size === 0) return;
  turn.items = turn.items.flatMap((item) => (open.has(item.id) ? (settledItem(item) ?? []) : item));
}

/** Nobody saw its end, so it has no time of one: a turn that was stopped has. */
function interrupt(turn: Turn): void {
  turn.status = "interrupted";
}

/** A fork shows its own input, not that of the turns it took over. */
function previewOf(content: readonly UserInput[]): string {
  const texts = content.flatMap((input) => (input.type === "text" ? [input.text] : []));
  return shortened(texts.join("\n").trim());
}

/** A copy: a slice would keep the whole message in memory as long as its preview, which outlives the thread. */
const shortened = (text: string): string =>
  Buffer.from(text.slice(0, characterBoundary(text, maxPreview)), "utf16le").toString("utf16le");
