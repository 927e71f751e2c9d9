import type {
  MessageResponseItem,
  ResponseItem,
  ThreadItem,
  WebSearchAction,
  WebSearchCallResponseItem,
} from "@quire/protocol";
import { OpenItem } from "./open-item.ts";

/** The item that shows what the model has begun; `undefined` where nothing is shown. */
export function startedItem(item: ResponseItem): ThreadItem | undefined {
  const id = idOf(item);
  if (item.type === "message" && item.role === "assistant") {
    return { ...OpenItem.empty(id, "agentMessage"), phase: item.phase ?? null } as ThreadItem;
  }
  if (item.type === "reasoning") return OpenItem.empty(id, "reasoning");
  if (item.type === "web_search_call") return { type: "webSearch", id, ...searched(item), results: null };
  return undefined;
}

/** The item that shows what the model has finished. */
export function completedItem(item: ResponseItem): ThreadItem | undefined {
  const started = startedItem(item);
  if (started === undefined) return undefined;
  if (item.type === "message") return { ...started, text: textOf(item) } as ThreadItem;
  if (item.type === "reasoning") {
    return {
      ...started,
      summary: item.summary.map((part) => part.text),
      content: (item.content ?? []).map((part) => ("text" in part ? String(part.text) : "")),
    } as ThreadItem;
  }
  return started;
}

/** All text of a message. */
export function textOf(item: MessageResponseItem): string {
  return item.content.map((part) => ("text" in part ? part.text : "")).join("");
}

/** A pure cache: an item of the model is immutable and passed on, so an id of ours cannot be a field of it. */
const ids = new WeakMap<ResponseItem, string>();

/** The model's id, or one of ours. */
function idOf(item: ResponseItem): string {
  if ("id" in item && typeof item.id === "string" && item.id !== "") return item.id;
  const known = ids.get(item) ?? Bun.randomUUIDv7();
  ids.set(item, known);
  return known;
}

function searched({ action }: WebSearchCallResponseItem): { query: string; action: WebSearchAction | null } {
  if (!action) return { query: "", action: null };
  if (action.type === "search") {
    const query = action.query ?? action.queries?.join(", ") ?? "";
    return { query, action: { type: "search", query: action.query ?? null, queries: action.queries ?? null } };
  }
  if (action.type === "open_page")
    return { query: action.url ?? "", action: { type: "openPage", url: action.url ?? null } };
  if (action.type === "find_in_page") {
    const query = `'${action.pattern ?? ""}' in ${action.url ?? ""}`;
    return { query, action: { type: "findInPage", url: action.url ?? null, pattern: action.pattern ?? null } };
  }
  return { query: "", action: { type: "other" } };
}
