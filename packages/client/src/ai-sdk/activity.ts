import type { JSONValue, LanguageModelV3ToolCall, LanguageModelV3ToolResult } from "@ai-sdk/provider";
import type { ThreadItem } from "@quire/protocol";

/** Something that Codex did by itself, as a call of a tool. */
interface Activity {
  readonly toolName: string;
  readonly input: unknown;
  readonly result: unknown;
  readonly isError?: boolean;
}

/** Reads an item as a call of a tool; undefined for what is none: messages, reasoning, markers. */
function activityOf(item: ThreadItem): Activity | undefined {
  switch (item.type) {
    case "commandExecution": {
      const { command, cwd, status, exitCode, aggregatedOutput, durationMs } = item;
      // A command that ran and did not end with 0 has a result all the same.
      const isError = status !== "completed" && exitCode == null;
      const result = { status, exitCode, output: aggregatedOutput, durationMs };
      return { toolName: item.type, input: { command, cwd }, result, isError };
    }
    case "fileChange": {
      const { changes, status } = item;
      return { toolName: item.type, input: { changes }, result: { status }, isError: status !== "completed" };
    }
    case "mcpToolCall": {
      const { server, tool, arguments: input, result, error, status } = item;
      return { toolName: `mcp__${server}__${tool}`, input, result: result ?? error, isError: status === "failed" };
    }
    case "dynamicToolCall":
      return { toolName: item.tool, input: item.arguments, result: item.contentItems, isError: item.success === false };
    case "collabAgentToolCall": {
      const { tool, prompt, receiverThreadIds, agentsStates, status } = item;
      const input = { tool, prompt, receiverThreadIds };
      return { toolName: item.type, input, result: { status, agentsStates }, isError: status === "failed" };
    }
    case "webSearch":
      return {
        toolName: item.type,
        input: { query: item.query },
        result: { action: item.action, results: item.results },
      };
    case "imageView":
      return { toolName: item.type, input: { path: item.path }, result: { path: item.path } };
    case "imageGeneration": {
      const { revisedPrompt, status, savedPath, failure } = item;
      const result = { status, savedPath, failure };
      return { toolName: item.type, input: { prompt: revisedPrompt }, result, isError: failure != null };
    }
    default:
      return undefined;
  }
}

/** The call that an item stands for, if it stands for one. */
export function callPart(item: ThreadItem): LanguageModelV3ToolCall | undefined {
  const activity = activityOf(item);
  return (
    activity && {
      type: "tool-call",
      toolCallId: item.id,
      toolName: activity.toolName,
      input: JSON.stringify(activity.input ?? {}),
      providerExecuted: true,
      dynamic: true,
    }
  );
}

/** The result of the call that an item stands for. */
export function resultPart(item: ThreadItem): LanguageModelV3ToolResult | undefined {
  const activity = activityOf(item);
  return (
    activity && {
      type: "tool-result",
      toolCallId: item.id,
      toolName: activity.toolName,
      // Over the wire it came as JSON; this leaves out what is undefined.
      result: JSON.parse(JSON.stringify(activity.result ?? {})) as NonNullable<JSONValue>,
      isError: activity.isError ?? false,
      dynamic: true,
    }
  );
}
