import type { FunctionCallOutputBody, TokenUsageBreakdown, TurnStatus, UserInput } from "@quire/protocol";
import type { Thread } from "../thread/thread.ts";
import type { ToolCall } from "../tools/tool.ts";
import { codexVersion } from "../version.ts";
import { type Attributes, newSpanId, traceOf } from "./records.ts";
import type { Telemetry } from "./telemetry.ts";

/** Output of a tool that is sent at most. */
const maxOutputChars = 8192;

/** A request to a model, as it ended. */
export interface ModelCall {
  readonly turnId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly usage: TokenUsageBreakdown | null;
  /** What kind of failure it was; `null` where there was none. */
  readonly failure: string | null;
}

/** A tool's run, as it ended. */
export interface ToolRun {
  readonly turnId: string;
  readonly call: ToolCall;
  readonly startMs: number;
  readonly endMs: number;
  readonly worked: boolean;
  readonly output: FunctionCallOutputBody;
}

/** Events of one thread, by the names that Codex gives them. What users and tools say is left out unless asked for. */
export class ThreadTelemetry {
  readonly #thread: Thread;
  readonly #telemetry: Telemetry;
  /** Spans of turns that run: what happens in them is below them. */
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
      sandbox_policy: settings.sandboxPolicy.type,
    });
  }

  turnStarted(turnId: string): void {
    this.#turns.set(turnId, newSpanId());
  }

  turnEnded(turnId: string, startMs: number, status: TurnStatus): void {
    const { model, effort } = this.#thread.settings;
    const spanId = this.#turns.get(turnId) ?? newSpanId();
    this.#turns.delete(turnId);
    this.#telemetry.span({
      name: "session_task.turn",
      kind: 1,
      traceId: traceOf(turnId),
      spanId,
      startMs,
      endMs: Date.now(),
      failed: status === "failed",
      attributes: {
        "conversation.id": this.#thread.id,
        "turn.id": turnId,
        "turn.status": status,
        model,
        "codex.turn.reasoning_effort": effort ?? "default",
      },
    });
  }

  prompt(turnId: string, at: number, input: readonly UserInput[]): void {
    const text = input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    this.#log("codex.user_prompt", at, turnId, {
      prompt_length: text.length,
      prompt: this.#telemetry.settings.logUserPrompt ? text : "[REDACTED]",
    });
  }

  model({ turnId, startMs, endMs, usage, failure }: ModelCall): void {
    const duration_ms = endMs - startMs;
    const attributes = { duration_ms, endpoint: "/responses", "error.message": failure };
    this.#log("codex.api_request", endMs, turnId, attributes);
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

  decision(turnId: string, at: number, { callId, kind, decision }: Decision): void {
    this.#log("codex.tool_decision", at, turnId, { call_id: callId, tool_name: kind, decision, source: "User" });
  }

  tool({ turnId, call, startMs, endMs, worked, output }: ToolRun): void {
    const named = { tool_name: call.name, tool_namespace: call.namespace ?? "functions", call_id: call.callId };
    const told = typeof output === "string" ? output : JSON.stringify(output);
    this.#log("codex.tool_result", endMs, turnId, {
      ...named,
      duration_ms: endMs - startMs,
      success: String(worked),
      output_truncated: told.length > maxOutputChars,
      ...(this.#telemetry.settings.logUserPrompt && {
        arguments: call.arguments,
        output: told.slice(0, maxOutputChars),
      }),
    });
    this.#span("handle_tool_call", { turnId, startMs, endMs, failed: !worked, kind: 1, attributes: named });
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
    this.#telemetry.span({
      name,
      traceId: traceOf(turnId),
      spanId: newSpanId(),
      parentSpanId: this.#turns.get(turnId),
      ...rest,
    });
  }
}

/** What a user decided. */
export interface Decision {
  readonly callId: string;
  readonly kind: string;
  readonly decision: string;
}

interface InTurn {
  readonly turnId: string;
  readonly kind: 1 | 3;
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
  readonly attributes: Attributes;
}
