import type {
  CollabAgentToolCallStatus,
  CommandExecutionStatus,
  DynamicToolCallStatus,
  McpToolCallStatus,
  PatchApplyStatus,
  ThreadItem,
} from "../generated/types.ts";

/** The kinds of items, by the value of their `type`. */
export type ThreadItemType = ThreadItem["type"];

/** The item whose `type` is `T`. */
export type ThreadItemOf<T extends ThreadItemType> = Extract<ThreadItem, { type: T }>;

/** A status that an item can have; only some kinds of items have one. */
export type ItemStatus =
  | CommandExecutionStatus
  | PatchApplyStatus
  | McpToolCallStatus
  | DynamicToolCallStatus
  | CollabAgentToolCallStatus;

/** Narrows an item by its type: `isItem(item, "commandExecution")`. */
export const isItem = <T extends ThreadItemType>(item: ThreadItem, type: T): item is ThreadItemOf<T> =>
  item.type === type;

/** Narrows to a message of the user. */
export const isUserMessage = (item: ThreadItem): item is ThreadItemOf<"userMessage"> => item.type === "userMessage";

/** Narrows to a message of the agent. */
export const isAgentMessage = (item: ThreadItem): item is ThreadItemOf<"agentMessage"> => item.type === "agentMessage";

/** Narrows to the agent's reasoning. */
export const isReasoning = (item: ThreadItem): item is ThreadItemOf<"reasoning"> => item.type === "reasoning";

/** A command that the agent ran. */
export const isCommandExecution = (item: ThreadItem): item is ThreadItemOf<"commandExecution"> =>
  item.type === "commandExecution";

/** A patch that the agent applied. */
export const isFileChange = (item: ThreadItem): item is ThreadItemOf<"fileChange"> => item.type === "fileChange";

/** A call of an MCP server's tool. */
export const isMcpToolCall = (item: ThreadItem): item is ThreadItemOf<"mcpToolCall"> => item.type === "mcpToolCall";

/** A call of a tool that the client offers. */
export const isDynamicToolCall = (item: ThreadItem): item is ThreadItemOf<"dynamicToolCall"> =>
  item.type === "dynamicToolCall";

/** The status of an item, where its kind has one. */
export function itemStatus(item: ThreadItem): string | undefined {
  return "status" in item ? item.status : undefined;
}

/** True for a final status: everything but `inProgress`, including what newer servers may send. */
export const isTerminalItemStatus = (status: ItemStatus | (string & {})): boolean => status !== "inProgress";
