import type { DynamicToolCallOutputContentItem } from "@quire/protocol";
import { encodeBase64 } from "../lib/base64.ts";
import { isObject } from "../schema/json-value.ts";

/** A piece of text for the model. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** A picture for the model: an URL (also `data:`), or bytes (also as base64) with their type. */
export type ImagePart =
  | { readonly type: "image"; readonly url: string }
  | { readonly type: "image"; readonly data: Uint8Array | string; readonly mimeType: string };

/** A piece of what a tool gives back. */
export type ToolPart = TextPart | ImagePart;

/**
 * What a tool may give back: a string, a {@link ToolPart} or several, or any JSON value, which the model gets as JSON
 * text. Nothing at all is an empty text.
 */
export type ToolResult = unknown;

/** Converts what a tool gave back to what travels. */
export function toContentItems(result: ToolResult): DynamicToolCallOutputContentItem[] {
  if (isPart(result)) return [toItem(result)];
  if (Array.isArray(result) && result.length > 0 && result.every(isPart)) return result.map(toItem);
  return [textItem(typeof result === "string" ? result : (JSON.stringify(result) ?? ""))];
}

/** A text as it travels. */
export const textItem = (text: string): DynamicToolCallOutputContentItem => ({ type: "inputText", text });

/** Only what is a part and nothing more: an answer that happens to have a `type` must stay whole. */
function isPart(value: unknown): value is ToolPart {
  if (!isObject(value)) return false;
  const keys = Object.keys(value).sort().join();
  if (value.type === "text") return keys === "text,type" && typeof value.text === "string";
  if (value.type !== "image") return false;
  if (keys === "type,url") return typeof value.url === "string";
  const isData = typeof value.data === "string" || value.data instanceof Uint8Array;
  return keys === "data,mimeType,type" && isData && typeof value.mimeType === "string";
}

function toItem(part: ToolPart): DynamicToolCallOutputContentItem {
  if (part.type === "text") return textItem(part.text);
  if ("url" in part) return { type: "inputImage", imageUrl: part.url };
  const base64 = typeof part.data === "string" ? part.data : encodeBase64(part.data);
  return { type: "inputImage", imageUrl: `data:${part.mimeType};base64,${base64}` };
}
