import type { MessagePart } from "../items/agent-message.tsx";
import type { ItemState } from "../state/model.ts";

const line = 24;

/** Characters of prose in a line, about. */
const perLine = 90;

/** About how high an item is before it was measured. The closer, the less the scroll bar moves while one scrolls. */
export function estimateItem({ item }: ItemState, part?: MessagePart): number {
  switch (item.type) {
    case "agentMessage": {
      const length = part === undefined ? item.text.length : (part.end ?? item.text.length) - part.start;
      return 16 + Math.ceil(length / perLine) * line;
    }
    case "userMessage":
      return 48 + Math.ceil(Math.min(2000, textLength(item.content)) / perLine) * line;
    case "fileChange":
      return 200;
    case "commandExecution":
      return item.status === "completed" && (item.exitCode ?? 0) === 0 ? 32 : 120;
    default:
      return 32;
  }
}

function textLength(content: readonly { readonly type: string; readonly text?: string }[]): number {
  return content.reduce((sum, part) => sum + (part.text?.length ?? 0), 0);
}
