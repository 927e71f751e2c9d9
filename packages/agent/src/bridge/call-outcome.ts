import type { DynamicToolCallOutputContentItem, DynamicToolCallResponse } from "@quire/protocol";
import { ToolResult } from "../events/tool-result.ts";

/** What a call came to. */
export interface CallOutcome {
  /** For the event. */
  readonly result: ToolResult;
  /** What the model reads. */
  readonly text: string;
  /** What the server is told; a request for sections is no failure to the model, though nothing was done. */
  readonly success: boolean;
}

/** A call that failed, with what the model reads of it. */
export const failed = (text: string): CallOutcome => ({ result: ToolResult.error(text), text, success: false });

/** What goes back to the server. */
export function toReply({ success, text, result }: CallOutcome, more: readonly string[] = []): DynamicToolCallResponse {
  const textItem = (each: string): DynamicToolCallOutputContentItem => ({ type: "inputText", text: each });
  const images = result.images.map((imageUrl) => ({ type: "inputImage" as const, imageUrl }));
  return { success, contentItems: [textItem(text), ...images, ...more.map(textItem)] };
}
