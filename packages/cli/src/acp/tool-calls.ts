import { shellScript, type ThreadItem } from "@quire/protocol";

import { diffTexts } from "./diff-texts.ts";
import type { ToolCall, ToolContent } from "./protocol.ts";

/** Output of a command that an editor is sent at a time: the end of it, where it is longer. */
const maxOutput = 32 * 1024;

/** An item as a tool call, or undefined for what is said and not done. */
export function toolCall(item: ThreadItem): ToolCall | undefined {
  const common = { toolCallId: item.id, status: statusOf(item) };
  switch (item.type) {
    case "commandExecution": {
      const title = shellScript(item.command);
      const rawInput = { command: item.command, cwd: item.cwd };
      return { ...common, title, kind: "execute", rawInput, content: outputContent(item.aggregatedOutput ?? "") };
    }
    case "fileChange": {
      const locations = item.changes.map(({ path }) => ({ path }));
      const title = `Edit ${locations.map(({ path }) => path).join(", ")}`;
      return { ...common, title, kind: "edit", locations, content: diffTexts(item.changes) };
    }
    case "mcpToolCall":
      return {
        ...common,
        title: `${item.server}: ${item.tool}`,
        kind: "other",
        rawInput: item.arguments,
        rawOutput: item.result,
      };
    case "dynamicToolCall":
      return { ...common, title: item.tool, kind: "other", rawInput: item.arguments };
    case "webSearch":
      return { ...common, title: `Search the web: ${item.query}`, kind: "search" };
    case "imageView":
      return { ...common, title: `View ${item.path}`, kind: "read", locations: [{ path: item.path }] };
    default:
      return undefined;
  }
}

/** Output of a command as a block that keeps its lines. */
export function outputContent(output: string): ToolContent[] {
  if (output === "") return [];
  const shown = output.length > maxOutput ? `…${output.slice(-maxOutput)}` : output;
  // A fence that is longer than any in the output: what a command prints cannot end it.
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return [{ type: "content", content: { type: "text", text: `${fence}\n${shown}\n${fence}` } }];
}

function statusOf(item: ThreadItem): ToolCall["status"] {
  const { status } = item as { readonly status?: string };
  if (status === undefined || status === "completed") return "completed";
  return status === "inProgress" ? "in_progress" : "failed";
}
