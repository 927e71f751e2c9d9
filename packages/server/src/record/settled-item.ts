import type { ThreadItem } from "@quire/protocol";

/**
 * What is true of an item whose turn ended before it: a command, a change or a call failed, and a message that had not
 * come to a word never was. Gives `undefined` for what leaves no trace.
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
