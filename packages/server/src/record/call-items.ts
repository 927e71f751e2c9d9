import type { FunctionCallOutputBody, ResponseItem } from "@quire/protocol";
import type { ToolCall } from "./tool-call.ts";

/** The call that an item of the model makes; `undefined` for all that calls nothing here. */
export function callOf(item: ResponseItem): ToolCall | undefined {
  switch (item.type) {
    case "function_call":
      return { ...named(item), kind: "function", callId: item.call_id, arguments: item.arguments };
    case "custom_tool_call":
      return { ...named(item), kind: "custom", callId: item.call_id, arguments: item.input };
    case "tool_search_call": {
      // The endpoint answers its own searches.
      if (item.execution !== "client" || !item.call_id) return undefined;
      const args = JSON.stringify(item.arguments ?? {});
      return { kind: "search", namespace: null, name: "tool_search", callId: item.call_id, arguments: args };
    }
    default:
      return undefined;
  }
}

function named({ namespace, name }: { readonly namespace?: string | null; readonly name: string }) {
  return { namespace: namespace ?? null, name };
}

/** The item that answers a call. */
export function outputItem(
  { kind, callId }: Pick<ToolCall, "kind" | "callId">,
  output: FunctionCallOutputBody,
): ResponseItem {
  if (kind === "search") {
    return {
      type: "tool_search_output",
      call_id: callId,
      status: "completed",
      execution: "client",
      tools: foundTools(output),
    };
  }
  const type = kind === "custom" ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: callId, output };
}

/** The id of the call that an item makes; `undefined` where it makes none. Costs less than {@link callOf}. */
export function calledBy(item: ResponseItem): string | undefined {
  if (item.type === "function_call" || item.type === "custom_tool_call") return item.call_id;
  return item.type === "tool_search_call" ? callOf(item)?.callId : undefined;
}

/** The call that an item answers; `undefined` where it answers none. */
export function answeredBy(item: ResponseItem): string | undefined {
  const answers =
    item.type === "function_call_output" ||
    item.type === "custom_tool_call_output" ||
    item.type === "tool_search_output";
  return answers ? (item.call_id ?? "") : undefined;
}

/** A failed search has found nothing: its output has no place for text. */
function foundTools(output: FunctionCallOutputBody): unknown[] {
  try {
    const { tools } = JSON.parse(typeof output === "string" ? output : "") as { readonly tools?: unknown };
    return Array.isArray(tools) ? tools : [];
  } catch {
    return [];
  }
}
