import type { ResponseItem } from "@quire/protocol";
import { answeredBy, calledBy, callOf, outputItem } from "../record/call-items.ts";
import { contextMessages } from "../record/context.ts";
import type { HistoryEntry } from "../record/thread-record.ts";
import type { Thread } from "../thread/thread.ts";
import { contextSections } from "./send-context.ts";

/** The model's input: the history, in which the context is, or after the context, if it was never sent. */
export function modelInput(thread: Thread): ResponseItem[] {
  const { history, context, makers } = thread.record;
  const items = makers.readableBy(thread.config.provider.id, answered(history));
  return context.size > 0 ? [...items] : [...contextMessages(contextSections(thread)), ...items];
}

/** The history with an output for every call, as models require. A killed server leaves some without. */
function answered(history: readonly HistoryEntry[]): ResponseItem[] {
  const outputs = new Set(history.map(({ item }) => answeredBy(item)));
  const items: ResponseItem[] = [];
  for (const { item } of history) {
    items.push(item);
    const callId = calledBy(item);
    if (callId === undefined || outputs.has(callId)) continue;
    const call = callOf(item);
    if (call) items.push(outputItem(call, "aborted"));
  }
  return items;
}
