import type { ResponseItem } from "@quire/protocol";
import { answeredBy, callOf, outputItem } from "./call-items.ts";
import { type ContextSection, contextGroups, contextMessage } from "./context.ts";
import type { HistoryEntry, ThreadRecord } from "./thread-record.ts";

/** Adds an entry to what the model is sent. */
export function remember(record: ThreadRecord, item: ResponseItem, turnId: string): void {
  const { calls } = record.fold;
  const call = callOf(item);
  if (call) calls.set(call.callId, { kind: call.kind, turnId });
  else calls.delete(answeredBy(item) ?? "");
  record.history.push({ item, turnId });
}

/** Adds context: before everything else when the history has none yet. */
export function addContext(record: ThreadRecord, sections: readonly ContextSection[], turnId: string): void {
  const isHead = record.context.size === 0;
  const entries = contextGroups(sections).map((group) => ({ item: contextMessage(group), turnId, context: group }));
  if (isHead) record.history.unshift(...entries);
  else record.history.push(...entries);
  for (const { part, text } of sections) record.context.set(part, text);
}

function restoreContext(record: ThreadRecord): void {
  record.context.clear();
  for (const { context } of record.history) for (const { part, text } of context ?? []) record.context.set(part, text);
}

/** Answers open calls, as an interruption or a crash leaves them: models refuse a history with such calls. */
export function answerCalls(record: ThreadRecord): void {
  const { calls } = record.fold;
  for (const [callId, { kind, turnId }] of calls) {
    record.history.push({ item: outputItem({ kind, callId }, "aborted"), turnId });
  }
  calls.clear();
}

/** Puts a shorter history in the place of all that came before. */
export function compact(record: ThreadRecord, replacement: readonly ResponseItem[], turnId: string | undefined): void {
  const state = record.fold;
  const turn = state.turnIndex.get(turnId ?? "") ?? record.turns.length - 1;
  state.compactions.push({ turn, before: record.history.splice(0) });
  state.calls.clear();
  record.context.clear();
  for (const item of replacement) remember(record, item, turnId ?? "");
}

/** Reverts the history to before a turn, given by its index. Restores what compactions since then replaced. */
export function revertHistory(record: ThreadRecord, first: number): void {
  const state = record.fold;
  for (let last = state.compactions.at(-1); last && last.turn >= first; last = state.compactions.at(-1)) {
    record.history.length = 0;
    for (const entry of last.before) record.history.push(entry);
    state.compactions.pop();
  }
  record.history.length = lengthBefore(record, record.history, first);
  restoreContext(record);
  state.calls.clear();
}

/** The length of a history before a turn. Items injected between two turns stay with the earlier one. */
export function lengthBefore(record: ThreadRecord, history: readonly HistoryEntry[], first: number): number {
  const { turnIndex } = record.fold;
  let cut = history.length;
  for (let at = cut - 1; at >= 0; at--) {
    const turnId = history[at]?.turnId ?? "";
    if ((turnIndex.get(turnId) ?? -1) >= first) cut = at;
    else if (turnId !== "") break;
  }
  return cut;
}
