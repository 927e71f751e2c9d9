import { member, textMember, type WireMessage } from "./wire.ts";

/** The kinds of entries in a transcript. */
export type TranscriptEntryType =
  | "user"
  | "assistant"
  | "toolUse"
  | "toolResult"
  | "thinking"
  | "systemEvent"
  | "tokenUsage"
  | "error"
  | "unknown";

/** An entry of a transcript. */
export interface TranscriptEntry {
  readonly promptName: string;
  readonly adapter: string;
  readonly entryType: TranscriptEntryType;
  /** Counts from 1 without gaps, for each source on its own. */
  readonly sequenceNumber: number;
  /** `main` for the evaluation's own thread, `thread:ID` for those of sub-agents. */
  readonly source: string;
  /** ISO 8601, in UTC. */
  readonly timestamp: string;
  readonly sessionId?: string | undefined;
  /** The gist of it. */
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
  /** The message as it came. */
  readonly raw?: unknown;
}

/** Converts a notification to an entry. */
export interface EntryDraft {
  readonly entryType: TranscriptEntryType;
  readonly detail: Readonly<Record<string, unknown>>;
}

const itemTypes: ReadonlyMap<string, TranscriptEntryType> = new Map(
  Object.entries<TranscriptEntryType>({
    userMessage: "user",
    agentMessage: "assistant",
    plan: "assistant",
    reasoning: "thinking",
    commandExecution: "toolResult",
    fileChange: "toolResult",
    mcpToolCall: "toolResult",
    webSearch: "toolResult",
    imageView: "toolResult",
    imageGeneration: "toolResult",
    collabAgentToolCall: "toolResult",
    contextCompaction: "systemEvent",
    enteredReviewMode: "systemEvent",
    exitedReviewMode: "systemEvent",
  }),
);

/** Characters of a text in the gist; the raw message has all. */
const mostText = 2000;

/**
 * The entry for a notification. Undefined for what is left out: pieces of texts that come whole later, the beginning of
 * what is no tool, and calls of the prompt's own tools, which their runner records.
 */
export function draftEntry({ method, params }: WireMessage): EntryDraft | undefined {
  if (/delta$/i.test(method) || method.startsWith("codex/event/")) return undefined;
  if (method === "item/started" || method === "item/completed") return draftItem(method, member(params, "item"));
  if (method === "thread/tokenUsage/updated")
    return { entryType: "tokenUsage", detail: { usage: member(params, "tokenUsage") } };
  if (method === "error") {
    const error = member(params, "error");
    return {
      entryType: "error",
      detail: { message: member(error, "message"), willRetry: member(params, "willRetry") },
    };
  }
  if (method === "turn/diff/updated") return undefined;
  if (/^(?:turn|thread|account|model|config|mcpServer|skills|serverRequest)\//.test(method))
    return { entryType: "systemEvent", detail: { event: method } };
  return { entryType: "unknown", detail: { event: method } };
}

function draftItem(method: string, item: unknown): EntryDraft | undefined {
  const type = textMember(item, "type") ?? "";
  if (type === "dynamicToolCall") return undefined;
  const entryType = itemTypes.has(type) ? (itemTypes.get(type) ?? "unknown") : "unknown";
  const isStart = method === "item/started";
  if (isStart && entryType !== "toolResult") return undefined;
  return { entryType: isStart ? "toolUse" : entryType, detail: itemDetail(type, item) };
}

function itemDetail(type: string, item: unknown): Record<string, unknown> {
  const detail: Record<string, unknown> = { item: type, id: member(item, "id") };
  for (const name of ["text", "command", "query", "tool", "status", "exitCode", "aggregatedOutput", "summary"]) {
    const value = member(item, name);
    if (value !== undefined && value !== null)
      detail[name] = typeof value === "string" ? value.slice(0, mostText) : value;
  }
  return detail;
}
