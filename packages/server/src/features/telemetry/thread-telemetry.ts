import type { ServerNotifications, ThreadItem, Turn } from "@quire/protocol";
import { codexVersion } from "../../lib/version.ts";
import type { ModelCall } from "../../thread/model-call.ts";
import type { Observer } from "../../thread/observer.ts";
import type { Thread } from "../../thread/thread.ts";
import { type Attributes, newSpanId, traceOf } from "./records.ts";
import { type Telemetry, telemetryOf } from "./telemetry.ts";
import { ThreadMetrics } from "./thread-metrics.ts";
import { toolFacts } from "./tool-facts.ts";

/** Reports what happens on a thread; `undefined` where nothing is exported. */
export function observeThread(thread: Thread, otel: unknown): Observer | undefined {
  const telemetry = telemetryOf(thread.core.server, otel);
  if (!telemetry) return undefined;
  const observed = new ThreadTelemetry(thread, telemetry);
  return Object.assign(
    <M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]) =>
      observed.notified(method, params),
    { model: (call: ModelCall) => observed.model(call) },
  );
}

/** The events of one thread under Codex's names. Text of users and tools is left out unless requested. */
class ThreadTelemetry {
  readonly #thread: Thread;
  readonly #telemetry: Telemetry;
  readonly #metrics: ThreadMetrics | undefined;
  /** Spans of running turns, the parents of everything in them. */
  readonly #turns = new Map<string, string>();

  constructor(thread: Thread, telemetry: Telemetry) {
    this.#thread = thread;
    this.#telemetry = telemetry;
    const { settings, config } = thread;
    this.#log("codex.conversation_starts", Date.now(), undefined, {
      provider_name: config.provider.name,
      reasoning_effort: settings.effort,
      reasoning_summary: settings.summary,
      approval_policy: typeof settings.approvalPolicy === "string" ? settings.approvalPolicy : "granular",
      sandbox_policy: settings.sandboxPolicy.type.replace(/[A-Z]/g, (part) => `-${part.toLowerCase()}`),
    });
    this.#metrics = telemetry.meter && new ThreadMetrics(thread, telemetry.meter);
  }

  notified<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void {
    if (method === "turn/started") {
      this.#turns.set((params as ServerNotifications["turn/started"]).turn.id, newSpanId());
    } else if (method === "item/completed") {
      const { item, turnId, completedAtMs } = params as ServerNotifications["item/completed"];
      this.#item(turnId, item, completedAtMs);
    } else if (method === "turn/completed") {
      this.#turnEnded((params as ServerNotifications["turn/completed"]).turn);
    }
  }

  model({ turnId, startMs, endMs, usage, failure }: ModelCall): void {
    const duration_ms = endMs - startMs;
    this.#metrics?.modelAsked(turnId, { ms: duration_ms, worked: failure === null, usage });
    this.#log("codex.api_request", endMs, turnId, { duration_ms, endpoint: "/responses", "error.message": failure });
    if (usage)
      this.#log("codex.sse_event", endMs, turnId, {
        "event.kind": "response.completed",
        duration_ms,
        input_token_count: usage.inputTokens,
        output_token_count: usage.outputTokens,
        cached_token_count: usage.cachedInputTokens,
        reasoning_token_count: usage.reasoningOutputTokens,
        tool_token_count: usage.totalTokens,
      });
    const { model } = this.#thread.settings;
    this.#span("stream_request", { turnId, startMs, endMs, failed: failure !== null, kind: 3, attributes: { model } });
  }

  #item(turnId: string, item: ThreadItem, at: number): void {
    const { logUserPrompt } = this.#telemetry.settings;
    if (item.type === "userMessage") {
      const text = item.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
      const prompt = logUserPrompt ? text : "[REDACTED]";
      this.#log("codex.user_prompt", at, turnId, { prompt_length: text.length, prompt });
      return;
    }
    const tool = toolFacts(item);
    if (tool === undefined) return;
    const named = { tool_name: tool.name, call_id: item.id };
    const startMs = item.startedAtMs ?? at;
    this.#metrics?.toolCalled(turnId, { ms: at - startMs, name: tool.name, worked: tool.worked });
    this.#log("codex.tool_result", at, turnId, {
      ...named,
      duration_ms: at - startMs,
      success: String(tool.worked),
      ...(tool.declined && { decision: "denied" }),
      ...(logUserPrompt && { arguments: tool.input, output: tool.output }),
    });
    const span = { turnId, startMs, endMs: at, failed: !tool.worked, kind: 1 as const, attributes: named };
    this.#span("handle_tool_call", span);
  }

  #turnEnded({ id, status, durationMs }: Turn): void {
    const { model, effort } = this.#thread.settings;
    const spanId = this.#turns.get(id) ?? newSpanId();
    this.#turns.delete(id);
    const endMs = Date.now();
    this.#metrics?.turnEnded(id, durationMs ?? 0);
    this.#telemetry.span({
      name: "session_task.turn",
      kind: 1,
      traceId: traceOf(id),
      spanId,
      startMs: endMs - (durationMs ?? 0),
      endMs,
      failed: status === "failed",
      attributes: {
        "conversation.id": this.#thread.id,
        "turn.id": id,
        "turn.status": status,
        model,
        "codex.turn.reasoning_effort": effort ?? "default",
      },
    });
  }

  #log(name: string, timeMs: number, turnId: string | undefined, attributes: Attributes): void {
    const { id, settings } = this.#thread;
    this.#telemetry.log({
      timeMs,
      ...(turnId !== undefined && { traceId: traceOf(turnId), spanId: this.#turns.get(turnId) }),
      attributes: {
        "event.name": name,
        "event.timestamp": new Date(timeMs).toISOString(),
        "conversation.id": id,
        "app.version": codexVersion,
        model: settings.model,
        ...attributes,
      },
    });
  }

  #span(name: string, { turnId, ...rest }: InTurn): void {
    const parentSpanId = this.#turns.get(turnId);
    this.#telemetry.span({ name, traceId: traceOf(turnId), spanId: newSpanId(), parentSpanId, ...rest });
  }
}

interface InTurn {
  readonly turnId: string;
  readonly kind: 1 | 3;
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
  readonly attributes: Attributes;
}
