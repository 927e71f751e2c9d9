import type { CollabAgentToolCallThreadItem, ThreadItem, TurnPlanStep } from "@quire/protocol";

/** An item as `exec --json` prints it, without its id. */
export type ExecItem = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Printed form of an item; `undefined` for items that programs do not see. */
export function execItem(item: ThreadItem): ExecItem | undefined {
  switch (item.type) {
    case "agentMessage":
      return { type: "agent_message", text: item.text };
    case "reasoning": {
      const text = (item.summary ?? []).join("\n");
      return text.trim() === "" ? undefined : { type: "reasoning", text };
    }
    case "commandExecution":
      return {
        type: "command_execution",
        command: item.command,
        aggregated_output: item.aggregatedOutput ?? "",
        exit_code: item.exitCode ?? null,
        status: snake(item.status),
      };
    case "fileChange":
      return {
        type: "file_change",
        changes: item.changes.map(({ path, kind }) => ({ path, kind: kind.type })),
        status: item.status === "declined" ? "failed" : snake(item.status),
      };
    case "mcpToolCall":
      return {
        type: "mcp_tool_call",
        server: item.server,
        tool: item.tool,
        arguments: item.arguments,
        result: item.result ? toolResult(item.result) : null,
        error: item.error ? { message: item.error.message } : null,
        status: snake(item.status),
      };
    case "collabAgentToolCall":
      return collabItem(item);
    case "webSearch":
      // Codex prints two ids here, of which readers of JSON take the second: that of the search itself.
      return { type: "web_search", id: item.id, query: item.query, action: searchAction(item.action) };
    default:
      return undefined;
  }
}

/** A plan as the list of things to do. */
export function todoItem(plan: readonly TurnPlanStep[]): ExecItem {
  return {
    type: "todo_list",
    items: plan.map(({ step, status }) => ({ text: step, completed: status === "completed" })),
  };
}

function collabItem(item: CollabAgentToolCallThreadItem): ExecItem {
  const states = Object.entries(item.agentsStates).map(([id, state]) => [
    id,
    { status: snake(state?.status ?? ""), message: state?.message ?? null },
  ]);
  return {
    type: "collab_tool_call",
    tool: item.tool === "resumeAgent" ? "wait" : snake(item.tool),
    sender_thread_id: item.senderThreadId,
    receiver_thread_ids: item.receiverThreadIds,
    prompt: item.prompt ?? null,
    agents_states: Object.fromEntries(states),
    status: snake(item.status),
  };
}

function toolResult(result: { content: unknown; _meta?: unknown; structuredContent?: unknown }): object {
  return {
    content: result.content,
    ...(result._meta !== undefined && result._meta !== null && { _meta: result._meta }),
    structured_content: result.structuredContent ?? null,
  };
}

function searchAction(action: { type: string } | null | undefined): object {
  const fields = Object.entries(action ?? { type: "other" }).filter(([, value]) => value !== null);
  return Object.fromEntries(fields.map(([name, value]) => [name, name === "type" ? snake(String(value)) : value]));
}

/** `inProgress` as `in_progress`. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
