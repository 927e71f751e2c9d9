import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from "@ai-sdk/provider";
import { toInput } from "../ai-sdk/prompt/user-input.ts";
import { isObject } from "../schema/json-value.ts";
import type { InputItem } from "../turn/turn-input.ts";
import type { PromptOptions } from "./harness-types.ts";

/** The user's prompt as input of a turn. */
export function readUserMessage(prompt: PromptOptions["prompt"]): InputItem[] {
  const content = typeof prompt === "string" ? prompt : prompt.content;
  if (typeof content === "string") return [{ type: "text", text: content }];
  return toInput([{ role: "user", content: (content as Record<string, unknown>[]).map(toPart) }]);
}

function toPart(part: Record<string, unknown>): LanguageModelV3TextPart | LanguageModelV3FilePart {
  if (part.type === "text") return { type: "text", text: String(part.text) };
  const { filename } = part as { filename?: string };
  const mediaType = String(part.mediaType ?? (part.type === "image" ? "image/*" : "application/octet-stream"));
  const data = toData(part.type === "image" ? part.image : part.data);
  return { type: "file", mediaType, data, ...(filename !== undefined && { filename }) };
}

function toData(data: unknown): LanguageModelV3FilePart["data"] {
  if (data instanceof URL || data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (isObject(data)) {
    if (data.type === "text") return new TextEncoder().encode(String(data.text));
    return toData(data.type === "url" ? new URL(String(data.url)) : data.data);
  }
  const text = String(data);
  return /^(https?|file):/.test(text) ? new URL(text) : text;
}
