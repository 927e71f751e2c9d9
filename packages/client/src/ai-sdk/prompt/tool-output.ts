import type { LanguageModelV3ToolResultOutput } from "@ai-sdk/provider";
import type { ToolPart } from "../../tools/tool-output.ts";
import { fullType } from "./user-input.ts";

type ContentPart = Extract<LanguageModelV3ToolResultOutput, { type: "content" }>["value"][number];

/** Tells whether a tool of the AI SDK gave a result, and not an error or nothing. */
export function isSuccess({ type }: LanguageModelV3ToolResultOutput): boolean {
  return type === "text" || type === "json" || type === "content";
}

/** The result of a tool, as text alone. */
export function outputText(output: LanguageModelV3ToolResultOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason === undefined ? "The user denied the call" : `The user denied the call: ${output.reason}`;
    case "content":
      return outputParts(output)
        .map((part) => (part.type === "text" ? part.text : "[image]"))
        .join("\n");
  }
}

/** The result of a tool, with its pictures. */
export function outputParts(output: LanguageModelV3ToolResultOutput): ToolPart[] {
  if (output.type !== "content") return [{ type: "text", text: outputText(output) }];
  return output.value.map(toPart);
}

const isImage = (mediaType: string): boolean => /^image(?:\/|$)/.test(mediaType);

function toPart(part: ContentPart): ToolPart {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image-data":
      return { type: "image", data: part.data, mimeType: part.mediaType };
    case "image-url":
      return { type: "image", url: part.url };
    case "file-data":
      if (isImage(part.mediaType)) return { type: "image", data: part.data, mimeType: fullType(part.mediaType) };
      return { type: "text", text: `[file ${part.filename ?? ""} of type ${part.mediaType}]` };
    case "file-url":
      if (part.mediaType !== undefined && isImage(part.mediaType)) return { type: "image", url: part.url };
      return { type: "text", text: part.url };
    default:
      return { type: "text", text: JSON.stringify(part) };
  }
}
