import type { ResponseItem } from "@quire/protocol";
import { catalogueEntry } from "../../config/catalogue.ts";
import type { ModelRequest, ToolSpec } from "../model-provider.ts";
import { isSealed } from "../private-content.ts";

/** The body of `POST /responses`. Nothing is kept by the provider, so reasoning travels along encrypted. */
export function requestBody(request: ModelRequest): string {
  const text = textOptions(request);
  const rest = JSON.stringify({
    model: request.model,
    input: readable(request.input),
    // Endpoints refuse a choice of none where there is nothing to choose from.
    tool_choice: (request.tools.length > 0 && request.toolChoice) || "auto",
    parallel_tool_calls: request.tools.length > 0,
    reasoning: reasoning(request),
    store: false,
    stream: true,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: request.sessionId ?? request.threadId,
    ...(request.serviceTier !== null && { service_tier: serviceTier(request.serviceTier) }),
    ...(text && { text }),
    ...(request.maxOutputTokens !== undefined && { max_output_tokens: request.maxOutputTokens }),
    client_metadata: {
      session_id: request.sessionId ?? request.threadId,
      thread_id: request.threadId,
      turn_id: request.turnId,
      ...request.metadata,
    },
  });
  return `{"tools":[${request.tools.map(written).join(",")}],${rest.slice(1)}`;
}

/** The input without content that only providers of other wires can read. */
function readable(input: readonly ResponseItem[]): readonly ResponseItem[] {
  if (!input.some(hasSealed)) return input;
  return input.flatMap((item) => {
    if (!hasSealed(item)) return [item];
    const { encrypted_content: _, ...rest } = item;
    return item.type === "reasoning" ? [] : [rest as ResponseItem];
  });
}

const hasSealed = (item: ResponseItem): item is ResponseItem & { readonly encrypted_content: string } =>
  "encrypted_content" in item && isSealed(item.encrypted_content);

/** A pure cache of serialised tools: specs are immutable and most are shared by all requests of all threads. */
const writings = new WeakMap<ToolSpec, string>();

function written(spec: ToolSpec): string {
  const known = writings.get(spec) ?? JSON.stringify(spec);
  writings.set(spec, known);
  return known;
}

function reasoning({ model, effort, summary }: ModelRequest): object {
  const known = catalogueEntry(model);
  const usedEffort = effort ?? known?.defaultReasoningEffort;
  const usedSummary = summary ?? known?.defaultSummary ?? "auto";
  return { ...(usedEffort && { effort: usedEffort }), ...(usedSummary !== "none" && { summary: usedSummary }) };
}

function textOptions({ model, outputSchema, verbosity }: ModelRequest): object | undefined {
  const usedVerbosity = verbosity ?? catalogueEntry(model)?.defaultVerbosity;
  const schema = outputSchema ?? undefined;
  if (usedVerbosity === undefined && schema === undefined) return undefined;
  return {
    ...(usedVerbosity && { verbosity: usedVerbosity }),
    ...(schema !== undefined && { format: { type: "json_schema", strict: true, name: "codex_output_schema", schema } }),
  };
}

/** Users say `fast`; the API calls it `priority`. */
function serviceTier(tier: string): string {
  return tier === "fast" ? "priority" : tier;
}
