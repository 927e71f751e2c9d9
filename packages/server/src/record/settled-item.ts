import type { ThreadItem } from "@quire/protocol";

/** The final state of an item whose turn ended first, mostly failed. `undefined` when it leaves no trace. */
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
