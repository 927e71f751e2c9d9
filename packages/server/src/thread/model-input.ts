import type { ResponseItem } from "@quire/protocol";
import type { Thread } from "./thread.ts";
import type { HistoryEntry } from "./thread-record.ts";

/** All that the model is sent: instructions, context, history. */
export function modelInput(thread: Thread): ResponseItem[] {
  return [...preamble(thread).items, ...answered(thread.record.history)];
}

/** What stands before the history. */
export function preamble(thread: Thread): ReturnType<Thread["core"]["prompts"]["preamble"]> {
  const { quire } = thread.record.meta;
  return thread.core.prompts.preamble({
    settings: thread.settings,
    config: thread.config,
    baseInstructions: quire?.baseInstructions ?? null,
    developerInstructions: quire?.developerInstructions ?? null,
  });
}

/**
 * The history as a model accepts it: every call has an output. One may lack it when the server was killed while the call
 * ran.
 */
function answered(history: readonly HistoryEntry[]): ResponseItem[] {
  const outputs = new Set<string>();
  for (const { item } of history) {
    if (item.type === "function_call_output" || item.type === "custom_tool_call_output")
      outputs.add(item.call_id ?? "");
  }
  const items: ResponseItem[] = [];
  for (const { item } of history) {
    items.push(item);
    if (item.type !== "function_call" && item.type !== "custom_tool_call") continue;
    if (outputs.has(item.call_id)) continue;
    const type = item.type === "function_call" ? "function_call_output" : "custom_tool_call_output";
    items.push({ type, call_id: item.call_id, output: "aborted" });
  }
  return items;
}
