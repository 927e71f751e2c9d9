import type { ResponseItem, Turn } from "@quire/protocol";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { outputItem } from "./call-items.ts";
import { lengthBefore } from "./fold-history.ts";
import { isOpen } from "./fold-state.ts";
import type { NewLine } from "./rollout-line.ts";
import { event } from "./rollout-line.ts";
import { settledItem } from "./settled-item.ts";
import type { HistoryEntry, ThreadRecord } from "./thread-record.ts";

/** The part of a thread to copy. */
export interface CopyRange {
  readonly lastTurnId: string | null;
  readonly beforeTurnId: string | null;
  /** Tells the model that the running turn was interrupted. */
  readonly interrupted: ResponseItem;
}

/** The lines that make another thread of this one, up to some turn. A turn that runs is copied as interrupted. */
export function copyOf(record: ThreadRecord, range: CopyRange): NewLine[] {
  const end = endOf(record, range);
  const turns = record.turns.slice(0, end);
  const last = turns.at(-1);
  const lines = turns.flatMap((turn) => turnLines(record, turn));
  const history = historyLines(record, end);
  if (last?.status === "inProgress") {
    const ends = cutShort(record, range.interrupted);
    history.push(...ends.map((item) => entryLine(record, { item, turnId: last.id })));
  }
  // Within the last turn: Codex, where it reads the copy, takes a compaction outside of any for a turn of its own.
  lines.splice(Math.max(0, lines.length - 1), 0, ...history);
  if (record.usage && last) lines.push(event({ kind: "token_usage", turnId: last.id, usage: record.usage }));
  if (record.tools) lines.push(event({ kind: "tools", tools: record.tools }));
  if (record.name !== null) lines.push(event({ kind: "name", name: record.name }));
  if (record.gitInfo) lines.push(event({ kind: "git_info", gitInfo: record.gitInfo }));
  return lines;
}

/** A turn and its items. Unfinished work continues in the original thread, not in the copy. */
function turnLines(record: ThreadRecord, turn: Turn): NewLine[] {
  const { id: turnId, rootTurnId = null, error = null } = turn;
  const running = turn.status === "inProgress";
  const items = turn.items.flatMap((item) => (isOpen(record, turnId, item.id) ? (settledItem(item) ?? []) : item));
  return [
    event({ kind: "turn_started", turnId, startedAtMs: (turn.startedAt ?? 0) * 1000, rootTurnId }),
    ...items.map((item) => event({ kind: "item_completed", turnId, item })),
    event({
      kind: "turn_completed",
      turnId,
      status: turn.status === "inProgress" ? "interrupted" : turn.status,
      error,
      completedAtMs: running ? Date.now() : (turn.completedAt ?? 0) * 1000,
      durationMs: turn.durationMs ?? 0,
    }),
  ];
}

/** The model's history up to a turn's index. Compactions are copied with what they replaced. */
function historyLines(record: ThreadRecord, end: number): NewLine[] {
  const { compactions } = record.fold;
  const taken = compactions.filter(({ turn }) => turn >= 0 && turn < end);
  const newest = compactions.find(({ turn }) => turn >= end)?.before ?? record.history;
  return [
    ...taken.flatMap(({ turn, before }): NewLine[] => [
      ...before.map((entry) => entryLine(record, entry)),
      { type: "compacted", payload: { message: "", replacement_history: [] }, turnId: record.turns[turn]?.id ?? "" },
    ]),
    ...newest.slice(0, lengthBefore(record, newest, end)).map((entry) => entryLine(record, entry)),
  ];
}

function entryLine({ makers }: ThreadRecord, { item, turnId, context }: HistoryEntry): NewLine {
  if (context) return event({ kind: "context", turnId, sections: context });
  return itemLine(item, turnId, makers.get(item));
}

/** Lines for a thread with another first provider: they say who has made what. */
export function madeBy(lines: NewLine[], first: string, now: string): NewLine[] {
  if (first === now) return lines;
  return lines.map((line) => (line.type === "response_item" ? { provider: first, ...line } : line));
}

/** A line for an item; who made it is said only where that is known to be another than the first provider. */
export function itemLine(item: ResponseItem, turnId: string, provider: string | undefined): NewLine {
  return { type: "response_item", payload: item, turnId, ...(provider !== undefined && { provider }) };
}

/** The lines by which another thread knows what this one does, as if its running turn had been interrupted. */
export function knownSoFar(record: ThreadRecord, interrupted: ResponseItem): NewLine[] {
  const ends = cutShort(record, interrupted).map((item) => ({ item }));
  const entries = [...record.history, ...ends].map((entry) => entryLine(record, { ...entry, turnId: "" }));
  return record.tools ? [...entries, event({ kind: "tools", tools: record.tools })] : entries;
}

/** The model's view of an interrupted turn: its calls came to nothing. */
function cutShort(record: ThreadRecord, interrupted: ResponseItem): ResponseItem[] {
  const calls = [...record.fold.calls];
  return [...calls.map(([callId, { kind }]) => outputItem({ kind, callId }, "aborted")), interrupted];
}

function endOf({ turns }: ThreadRecord, { lastTurnId, beforeTurnId }: CopyRange): number {
  if (lastTurnId === null && beforeTurnId === null) return turns.length;
  const wanted = lastTurnId ?? beforeTurnId;
  const at = turns.findIndex((turn) => turn.id === wanted);
  if (at < 0) throw invalidRequest(`turn not found: ${wanted}`);
  return lastTurnId === null ? at : at + 1;
}
