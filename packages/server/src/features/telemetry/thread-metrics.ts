import type { TokenUsageBreakdown } from "@quire/protocol";
import { codexVersion } from "../../lib/version.ts";
import type { Thread } from "../../thread/thread.ts";
import type { Meter } from "./meter.ts";

interface Tally {
  calls: number;
  readonly tokens: Map<string, number>;
}

/** Metrics of one thread, by the names that Codex gives them. */
export class ThreadMetrics {
  readonly #thread: Thread;
  readonly #meter: Meter;
  readonly #tallies = new Map<string, Tally>();

  constructor(thread: Thread, meter: Meter) {
    this.#thread = thread;
    this.#meter = meter;
    meter.count("codex.thread.started", this.#common());
  }

  modelAsked(turnId: string, asked: { ms: number; worked: boolean; usage: TokenUsageBreakdown | null }): void {
    const attributes = { ...this.#common(), success: String(asked.worked) };
    this.#meter.count("codex.api_request", attributes);
    this.#meter.measure("codex.api_request.duration_ms", asked.ms, { ...attributes, unit: "ms" });
    const { tokens } = this.#tally(turnId);
    for (const [type, count] of tokenTypes(asked.usage)) tokens.set(type, (tokens.get(type) ?? 0) + count);
  }

  toolCalled(turnId: string, { ms, name, worked }: { ms: number; name: string; worked: boolean }): void {
    const attributes = { ...this.#common(), tool: name, success: String(worked) };
    this.#meter.count("codex.tool.call", attributes);
    this.#meter.measure("codex.tool.call.duration_ms", ms, { ...attributes, unit: "ms" });
    this.#tally(turnId).calls++;
  }

  turnEnded(turnId: string, ms: number): void {
    const { calls, tokens } = this.#tally(turnId);
    this.#tallies.delete(turnId);
    const common = this.#common();
    this.#meter.measure("codex.turn.e2e_duration_ms", ms, { ...common, unit: "ms" });
    this.#meter.measure("codex.turn.tool.call", calls, { ...common, unit: "1" });
    for (const [type, count] of tokens)
      this.#meter.measure("codex.turn.token_usage", count, { ...common, token_type: type, unit: "1" });
  }

  #common(): { readonly [name: string]: string } {
    const { settings, record } = this.#thread;
    return { "app.version": codexVersion, model: settings.model, originator: record.meta.originator };
  }

  #tally(turnId: string): Tally {
    const known = this.#tallies.get(turnId);
    if (known) return known;
    const made = { calls: 0, tokens: new Map<string, number>() };
    this.#tallies.set(turnId, made);
    return made;
  }
}

function tokenTypes(usage: TokenUsageBreakdown | null): (readonly [string, number])[] {
  if (usage === null) return [];
  return [
    ["input", usage.inputTokens],
    ["cached_input", usage.cachedInputTokens],
    ["output", usage.outputTokens],
    ["reasoning_output", usage.reasoningOutputTokens],
    ["total", usage.totalTokens],
  ];
}
