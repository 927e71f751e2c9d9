import type { EndpointNotice } from "../model-provider.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The notice of an answer held back for checks. `safety_buffering` wins over `metadata`, even when empty.
 * @param fallback The alternative model in the response's headers.
 */
export function safetyBuffering(event: Fields, fallback: string | null): EndpointNotice | undefined {
  const status = event.safety_buffering ?? (event.type === "response.metadata" ? metadata(event.metadata) : undefined);
  if (typeof status !== "object" || status === null) return undefined;
  const { use_cases: useCases, reasons, retry_model: model = fallback } = status as Fields;
  if (!isTexts(useCases) || !isTexts(reasons)) return undefined;
  if (model !== null && typeof model !== "string") return undefined;
  return { kind: "buffering", useCases, reasons, fasterModel: model };
}

function metadata(value: unknown): unknown {
  return typeof value === "object" && value !== null && "type" in value && value.type === "safety_buffering"
    ? value
    : undefined;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
