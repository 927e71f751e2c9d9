import {
  type CommandExecutionThreadItem,
  type FileUpdateChange,
  type ServerNotification,
  shellScript,
  type ThreadItem,
} from "@quire/protocol";

/** An event as clients of `codex mcp-server` know it. */
export type LegacyEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Events in place of a notification, by their names before there was an app-server; none for what had no name then. */
export function legacyEvents({ method, params }: ServerNotification): readonly LegacyEvent[] {
  switch (method) {
    case "turn/started":
      return [{ type: "task_started", turn_id: params.turn.id, model_context_window: null }];
    case "item/agentMessage/delta":
      return [{ type: "agent_message_delta", delta: params.delta }];
    case "item/reasoning/summaryTextDelta":
      return [{ type: "agent_reasoning_delta", delta: params.delta }];
    case "item/commandExecution/outputDelta":
      return [
        {
          type: "exec_command_output_delta",
          call_id: params.itemId,
          stream: "stdout",
          chunk: Buffer.from(params.delta).toString("base64"),
        },
      ];
    case "item/started":
      return begun(params.item, params.turnId);
    case "item/completed":
      return ended(params.item, params.turnId);
    case "turn/diff/updated":
      return [{ type: "turn_diff", unified_diff: params.diff }];
    case "turn/plan/updated": {
      const plan = params.plan.map(({ step, status }) => ({
        step,
        status: status === "inProgress" ? "in_progress" : status,
      }));
      return [{ type: "plan_update", explanation: params.explanation ?? null, plan }];
    }
    case "thread/tokenUsage/updated": {
      const { total, last, modelContextWindow } = params.tokenUsage;
      const info = {
        total_token_usage: snakeCased(total),
        last_token_usage: snakeCased(last),
        model_context_window: modelContextWindow ?? null,
      };
      return [{ type: "token_count", info, rate_limits: null }];
    }
    case "warning":
      return [{ type: "warning", message: params.message }];
    case "error":
      return [{ type: params.willRetry ? "stream_error" : "error", message: params.error.message }];
    default:
      return [];
  }
}

/** Changes of files by their paths. */
export function legacyChanges(changes: readonly FileUpdateChange[]): Record<string, object> {
  return Object.fromEntries(
    changes.map(({ path, kind, diff }) => [
      path,
      kind.type === "update"
        ? { type: "update", unified_diff: diff, move_path: kind.move_path ?? null }
        : { type: kind.type, content: diff },
    ]),
  );
}

function begun(item: ThreadItem, turnId: string): readonly LegacyEvent[] {
  switch (item.type) {
    case "commandExecution":
      return [{ type: "exec_command_begin", ...commandOf(item, turnId) }];
    case "fileChange":
      return [
        {
          type: "patch_apply_begin",
          call_id: item.id,
          turn_id: turnId,
          auto_approved: true,
          changes: legacyChanges(item.changes),
        },
      ];
    case "mcpToolCall":
      return [{ type: "mcp_tool_call_begin", call_id: item.id, invocation: invocationOf(item) }];
    case "webSearch":
      return [{ type: "web_search_begin", call_id: item.id }];
    default:
      return [];
  }
}

function ended(item: ThreadItem, turnId: string): readonly LegacyEvent[] {
  switch (item.type) {
    case "userMessage":
      return [
        {
          type: "user_message",
          message: item.content.map((part) => (part.type === "text" ? part.text : "")).join(""),
          images: [],
        },
      ];
    case "agentMessage":
      return [{ type: "agent_message", message: item.text }];
    case "reasoning":
      return (item.summary ?? []).map((text) => ({ type: "agent_reasoning", text }));
    case "commandExecution": {
      const output = item.aggregatedOutput ?? "";
      const durationMs = item.durationMs ?? 0;
      return [
        {
          type: "exec_command_end",
          ...commandOf(item, turnId),
          stdout: output,
          stderr: "",
          aggregated_output: output,
          formatted_output: output,
          exit_code: item.exitCode ?? -1,
          duration: { secs: Math.floor(durationMs / 1000), nanos: (durationMs % 1000) * 1e6 },
          status: item.status,
        },
      ];
    }
    case "fileChange":
      return [
        {
          type: "patch_apply_end",
          call_id: item.id,
          turn_id: turnId,
          stdout: "",
          stderr: "",
          success: item.status === "completed",
          changes: legacyChanges(item.changes),
          status: item.status,
        },
      ];
    case "mcpToolCall": {
      const result = item.error ? { Err: item.error.message } : { Ok: item.result ?? { content: [] } };
      return [{ type: "mcp_tool_call_end", call_id: item.id, invocation: invocationOf(item), result }];
    }
    case "webSearch":
      return [{ type: "web_search_end", call_id: item.id, query: item.query }];
    default:
      return [];
  }
}

function commandOf(item: CommandExecutionThreadItem, turnId: string): object {
  return { call_id: item.id, turn_id: turnId, command: commandWords(item.command), cwd: item.cwd, parsed_cmd: [] };
}

/** A command line as its words, if it is a shell with a script; else in one word, as no other can be taken apart safely. */
export function commandWords(command: string): readonly string[] {
  const script = shellScript(command);
  const [shell = "", option = ""] = command.split(" ", 2);
  return script === command ? [command] : [shell, option, script];
}

function invocationOf({ server, tool, arguments: args }: Extract<ThreadItem, { type: "mcpToolCall" }>): object {
  return { server, tool, arguments: args };
}

function snakeCased(values: object): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.replace(/[A-Z]/g, (part) => `_${part.toLowerCase()}`), value]),
  );
}
