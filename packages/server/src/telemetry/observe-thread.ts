import type { ServerNotifications, ThreadItem } from "@quire/protocol";
import { isTable, type Table, valueAt } from "../config/table.ts";
import type { Core } from "../thread/core.ts";
import type { Thread } from "../thread/thread.ts";
import type { Observer } from "./open-telemetry.ts";
import { OtlpExporter, type OtlpRecord, type OtlpTarget } from "./otlp-exporter.ts";

/** One exporter for each place, whatever threads report there. They end with the server. */
const exporters = new WeakMap<Core, Map<string, OtlpExporter>>();

/** Reports what a thread tells; `undefined` for an exporter that is not known. */
export function observeThread(thread: Thread, exporter: Table): Observer | undefined {
  const { core, config } = thread;
  const target = targetOf(exporter, config.raw);
  if (typeof target === "string") {
    core.server.log.warn(target);
    return undefined;
  }
  const out = exporterFor(core, target);
  const withPrompts = valueAt(config.raw, ["otel", "log_user_prompt"]) === true;
  const report = (name: string, attributes: OtlpRecord["attributes"]) =>
    out.add({
      name,
      atMs: Date.now(),
      attributes: { "conversation.id": thread.id, model: thread.settings.model, ...attributes },
    });
  const { approvalPolicy, sandboxPolicy, modelProvider } = thread.settings;
  report("codex.conversation_starts", {
    provider_name: modelProvider,
    approval_policy: typeof approvalPolicy === "string" ? approvalPolicy : "granular",
    sandbox_policy: sandboxPolicy.type,
  });
  return (method, params) => {
    const record = recordOf(method, params, withPrompts);
    if (record) report(...record);
  };
}

type Reported = [name: string, attributes: OtlpRecord["attributes"]];

function recordOf<M extends keyof ServerNotifications>(
  method: M,
  params: ServerNotifications[M],
  withPrompts: boolean,
): Reported | undefined {
  if (method === "item/completed") {
    return itemRecord((params as ServerNotifications["item/completed"]).item, withPrompts);
  }
  if (method === "thread/tokenUsage/updated") {
    const { last } = (params as ServerNotifications["thread/tokenUsage/updated"]).tokenUsage;
    const counts = {
      input_token_count: last.inputTokens,
      cached_token_count: last.cachedInputTokens,
      output_token_count: last.outputTokens,
      reasoning_token_count: last.reasoningOutputTokens,
    };
    return ["codex.sse_event", { "event.kind": "response.completed", ...counts }];
  }
  if (method === "turn/completed") {
    const { turn } = params as ServerNotifications["turn/completed"];
    return ["codex.turn_completed", { status: turn.status, duration_ms: turn.durationMs ?? null }];
  }
  return undefined;
}

function itemRecord(item: ThreadItem, withPrompts: boolean): Reported | undefined {
  switch (item.type) {
    case "userMessage": {
      const prompt = item.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      return ["codex.user_prompt", { prompt_length: prompt.length, prompt: withPrompts ? prompt : "[REDACTED]" }];
    }
    case "commandExecution":
      return tool("exec_command", item.id, item.status === "completed", item.durationMs ?? null);
    case "fileChange":
      return tool("apply_patch", item.id, item.status === "completed", null);
    case "mcpToolCall":
      return tool(`mcp__${item.server}__${item.tool}`, item.id, item.status === "completed", item.durationMs ?? null);
    default:
      return undefined;
  }
}

function tool(name: string, callId: string, success: boolean, durationMs: number | null): Reported {
  return ["codex.tool_result", { tool_name: name, call_id: callId, success, duration_ms: durationMs }];
}

function targetOf(exporter: Table, raw: Table): OtlpTarget | string {
  const row = exporter["otlp-http"];
  if (!isTable(row) || typeof row.endpoint !== "string") {
    return "otel.exporter: only { otlp-http = { endpoint = … } } is known; nothing is reported";
  }
  if (row.protocol === "binary") return 'otel.exporter: only protocol = "json" is known; nothing is reported';
  const headers = isTable(row.headers) ? Object.entries(row.headers) : [];
  const environment = valueAt(raw, ["otel", "environment"]);
  return {
    endpoint: row.endpoint,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    environment: typeof environment === "string" ? environment : "dev",
  };
}

function exporterFor(core: Core, target: OtlpTarget): OtlpExporter {
  const known = exporters.get(core) ?? new Map<string, OtlpExporter>();
  exporters.set(core, known);
  const key = JSON.stringify(target);
  const found = known.get(key) ?? new OtlpExporter(target, (problem) => core.server.log.warn(problem));
  if (!known.has(key)) core.onClose(() => found.flush());
  known.set(key, found);
  return found;
}
