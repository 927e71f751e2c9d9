import type { ThreadItem } from "@quire/protocol";
import { exportWords as words } from "../../words/words.ts";

/** A call that is no command, in words. */
export interface CallText {
  readonly title: string;
  readonly body: string;
}

/** A call of a tool or a search of the web, with what it was given and what came back; null for any other item. */
export function callText(item: ThreadItem): CallText | null {
  switch (item.type) {
    case "mcpToolCall":
      return { title: `${item.server}.${item.tool}`, body: parts(item.arguments, item.error ?? item.result) };
    case "dynamicToolCall":
      return { title: item.tool, body: parts(item.arguments, item.contentItems) };
    case "webSearch":
      return { title: words.searched, body: item.query };
    default:
      return null;
  }
}

const parts = (given: unknown, result: unknown): string =>
  [given, result]
    .filter((part) => part !== null && part !== undefined)
    .map((part) => JSON.stringify(part, null, 2))
    .join("\n\n");
