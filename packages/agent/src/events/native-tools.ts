import type { McpToolCallResult, ThreadItem, ThreadItemOf } from "@quire/protocol";
import { type EventFacts, toolInvoked } from "./build-events.ts";
import type { ToolInvokedEvent } from "./canonical.ts";
import { ToolResult } from "./tool-result.ts";

/** Options of {@link nativeToolInvoked}. */
export interface NativeToolFacts extends EventFacts {
  readonly promptName: string;
}

/** The facts of an item about a tool. */
interface NativeCall {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly success: boolean;
  readonly output: string;
}

/**
 * The event for a completed item that is one of the agent's own tools: a command, a file change, a call of an MCP server,
 * a web search. Undefined for everything else, calls of the prompt's own tools among it: those have their event already.
 */
export function nativeToolInvoked(item: ThreadItem, facts: NativeToolFacts): ToolInvokedEvent | undefined {
  const call = callOf(item);
  if (call === undefined) return undefined;
  const { name, params, success, output } = call;
  const message = output === "" ? (success ? "OK" : "failed") : output;
  const result = success ? ToolResult.ok(null, message) : ToolResult.error(message);
  return toolInvoked({ ...facts, name, params, result, renderedOutput: output, callId: item.id });
}

function callOf(item: ThreadItem): NativeCall | undefined {
  if (item.type === "commandExecution") return command(item);
  if (item.type === "fileChange") return fileChange(item);
  if (item.type === "mcpToolCall") return mcpCall(item);
  // It has no status: where it could not search, there is no such item.
  if (item.type === "webSearch")
    return { name: "codex:web_search", params: { query: item.query }, success: true, output: "" };
  return undefined;
}

function command({
  command: line,
  cwd,
  exitCode,
  status,
  aggregatedOutput,
}: ThreadItemOf<"commandExecution">): NativeCall {
  const hasRun = status !== "failed" && status !== "declined";
  return {
    name: "codex:command",
    params: { command: line, cwd },
    success: hasRun && (exitCode ?? 0) === 0,
    output: aggregatedOutput ?? (status === "declined" ? "declined" : ""),
  };
}

function fileChange({ changes, status }: ThreadItemOf<"fileChange">): NativeCall {
  const paths = changes.map(({ path, kind }) => ({ path, kind: kind.type }));
  return {
    name: "codex:file_change",
    params: { changes: paths },
    success: status === "completed",
    output: changes.map(({ path, kind }) => `${kind.type} ${path}`).join("\n"),
  };
}

function mcpCall({ server, tool, status, error, result, ...item }: ThreadItemOf<"mcpToolCall">): NativeCall {
  return {
    name: `codex:mcp:${server}:${tool}`,
    params: { server, tool, arguments: item.arguments },
    success: status === "completed" && error == null,
    output: error?.message ?? (result == null ? "" : mcpText(result)),
  };
}

/** The texts of an MCP result; pictures and other things have none. */
function mcpText({ content }: McpToolCallResult): string {
  const texts = content.map((part) => {
    const { type, text } = (part ?? {}) as { readonly type?: unknown; readonly text?: unknown };
    return type === "text" && typeof text === "string" ? text : "";
  });
  return texts.filter((text) => text !== "").join("\n");
}
