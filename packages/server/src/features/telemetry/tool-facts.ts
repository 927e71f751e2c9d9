import type { ThreadItem } from "@quire/protocol";

const maxChars = 8192;

/** An item's facts about a tool's run. */
export interface ToolFacts {
  readonly name: string;
  readonly worked: boolean;
  /** True when a user, or a reviewer for one, has refused it. */
  readonly declined: boolean;
  readonly input: string;
  readonly output: string;
}

/** The facts about a tool's run; `undefined` for other items. */
export function toolFacts(item: ThreadItem): ToolFacts | undefined {
  switch (item.type) {
    case "commandExecution":
      return facts("exec_command", item.status, item.command, item.aggregatedOutput);
    case "fileChange":
      return facts("apply_patch", item.status, item.changes, null);
    case "mcpToolCall":
      return facts(`mcp__${item.server}__${item.tool}`, item.status, item.arguments, item.result ?? item.error);
    case "dynamicToolCall":
      return facts(item.tool, item.success === false ? "failed" : item.status, item.arguments, item.contentItems);
    case "webSearch":
      return facts("web_search", "completed", item.query, null);
    default:
      return undefined;
  }
}

function facts(name: string, status: string, input: unknown, output: unknown): ToolFacts {
  const text = (value: unknown): string =>
    (typeof value === "string" ? value : (JSON.stringify(value ?? null) ?? "")).slice(0, maxChars);
  return {
    name,
    worked: status === "completed",
    declined: status === "declined",
    input: text(input),
    output: text(output ?? ""),
  };
}
