import type { ResponseItem } from "@quire/protocol";
import { answeredBy, calledBy, callOf, outputItem } from "../record/call-items.ts";
import type { HistoryEntry } from "../record/thread-record.ts";
import type { Thread } from "../thread/thread.ts";

/** The model's input: instructions, context, history. */
export function modelInput(thread: Thread): ResponseItem[] {
  return [...preamble(thread).items, ...answered(thread.record.history)];
}

/** The input before the history. */
export function preamble(thread: Thread): ReturnType<Thread["core"]["prompts"]["preamble"]> {
  const { quire } = thread.record.meta;
  return thread.core.prompts.preamble({
    settings: thread.settings,
    config: thread.config,
    baseInstructions: quire?.baseInstructions ?? null,
    developerInstructions: quire?.developerInstructions ?? null,
    deferred: thread.toolbox.deferredNamespaces(thread.settings),
    now: thread.features.now(),
  });
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
