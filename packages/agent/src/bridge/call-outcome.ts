import type { DynamicToolCallOutputContentItem, DynamicToolCallResponse } from "@quire/protocol";
import { ToolResult } from "../events/tool-result.ts";

/** The outcome of a call. */
export interface CallOutcome {
  /** For the event. */
  readonly result: ToolResult;
  /** The text for the model. */
  readonly text: string;
  /** The success that the server sees; a request for sections is no failure to the model, though nothing was done. */
  readonly success: boolean;
}

/** A call that failed, with what the model reads of it. */
export const failed = (text: string): CallOutcome => ({ result: ToolResult.error(text), text, success: false });

/** The reply to the server. */
export function toReply({ success, text, result }: CallOutcome, more: readonly string[] = []): DynamicToolCallResponse {
  const textItem = (each: string): DynamicToolCallOutputContentItem => ({ type: "inputText", text: each });
  const images = result.images.map((imageUrl) => ({ type: "inputImage" as const, imageUrl }));
  return { success, contentItems: [textItem(text), ...images, ...more.map(textItem)] };
}
