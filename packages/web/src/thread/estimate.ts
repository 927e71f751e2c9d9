import type { ItemState } from "@quire/client/view";
import type { MessagePart } from "../items/kinds/agent-message.tsx";

/** A line of prose. */
const line = 22;

/** Between paragraphs. */
const gap = 10;

/** Characters of prose in a line, about. */
const perLine = 105;

/** About how high an item is before it was measured. The closer, the less the scroll bar moves while one scrolls. */
export function estimateItem({ item }: ItemState, part?: MessagePart): number {
  switch (item.type) {
    case "agentMessage":
      return 16 + textHeight(item.text, part?.start ?? 0, part?.end ?? item.text.length);
    case "userMessage":
      return 40 + Math.ceil(Math.min(2000, textLength(item.content)) / perLine) * line;
    case "fileChange":
      return 200;
    case "commandExecution":
      return item.status === "completed" && (item.exitCode ?? 0) === 0 ? 32 : 120;
    default:
      return 32;
  }
}

/** Height of a text: long lines wrap, and an empty line leaves a gap. */
function textHeight(text: string, start: number, end: number): number {
  let height = 0;
  for (let from = start; from < end; ) {
    const found = text.indexOf("\n", from);
    const to = found < 0 || found > end ? end : found;
    height += to === from ? gap : Math.ceil((to - from) / perLine) * line;
    from = to + 1;
  }
  return height;
}

function textLength(content: readonly { readonly type: string; readonly text?: string }[]): number {
  return content.reduce((sum, part) => sum + (part.text?.length ?? 0), 0);
}
