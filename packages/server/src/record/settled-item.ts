import type { ThreadItem } from "@quire/protocol";

/**
 * The final state of an item whose turn ended first: a command, change or call failed, and an empty message never was.
 * Returns `undefined` for an item that leaves no trace.
 */
export function settledItem(item: ThreadItem): ThreadItem | undefined {
  switch (item.type) {
    case "commandExecution":
    case "fileChange":
    case "mcpToolCall":
    case "dynamicToolCall":
      return item.status === "inProgress" ? { ...item, status: "failed" } : item;
    case "collabAgentToolCall":
      return item.status === "inProgress" ? { ...item, status: "interrupted" } : item;
    case "agentMessage":
    case "plan":
      return item.text === "" ? undefined : item;
    case "reasoning":
      return (item.summary?.length ?? 0) + (item.content?.length ?? 0) === 0 ? undefined : item;
    default:
      return item;
  }
}
