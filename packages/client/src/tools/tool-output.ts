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

/** A piece of a tool's output. */
export type ToolPart = TextPart | ImagePart;

/**
 * A tool's output: a string, a {@link ToolPart} or several, or any JSON value, which the model gets as JSON text. Nothing
 * at all is an empty text.
 */
export type ToolOutput = unknown;

/** Converts a tool's output for `item/tool/call`. */
export function toContentItems(output: ToolOutput): DynamicToolCallOutputContentItem[] {
  return partItems(output) ?? [textItem(typeof output === "string" ? output : (JSON.stringify(output) ?? ""))];
}

/** Converts output that consists of {@link ToolPart}s; undefined for any other. */
export function partItems(output: ToolOutput): DynamicToolCallOutputContentItem[] | undefined {
  const parts: readonly unknown[] = Array.isArray(output) ? output : [output];
  return parts.length > 0 && parts.every(isPart) ? parts.map(toItem) : undefined;
}

/** Wraps a text for `item/tool/call`. */
export const textItem = (text: string): DynamicToolCallOutputContentItem => ({ type: "inputText", text });

/** A part has no other keys: JSON output that happens to have a `type` must stay whole. */
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
