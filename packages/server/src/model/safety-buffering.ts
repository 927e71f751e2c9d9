import type { EndpointNotice } from "./model-provider.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * What an event says of an answer that is held back while it is checked. Any event may say so in `safety_buffering`, and
 * `response.metadata` also in its `metadata`; the former wins, even where it says nothing.
 *
 * @param fallback The model to offer in its place where the event names none, as the response's headers have it.
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
