import type { LanguageModelV3ToolCallPart, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";
import type { ContentItem, ResponseItem } from "@quire/protocol";
import type { InputItem } from "../../turn/turn-input.ts";
import type { Said } from "./read-prompt.ts";
import { outputParts, outputText } from "./tool-output.ts";
import { fileUrl, toInput } from "./user-input.ts";

type Part = Exclude<Said["content"][number], { type: "tool-approval-response" }>;

/** Earlier messages as items that `thread/inject_items` puts into a thread's history. Reasoning is left out: it cannot be repeated. */
export function toHistoryItems(history: readonly Said[]): ResponseItem[] {
  const answered = answeredCalls(history);
  return history.flatMap((message) => {
    if (message.role === "user") return [{ type: "message", role: "user", content: userContent(toInput([message])) }];
    return (message.content as Part[]).flatMap((part) => partItems(part, answered));
  });
}

function partItems(part: Part, answered: ReadonlySet<string>): ResponseItem[] {
  switch (part.type) {
    case "text":
      return part.text === ""
        ? []
        : [{ type: "message", role: "assistant", content: [{ type: "output_text", text: part.text }] }];
    case "tool-call":
      return answered.has(part.toolCallId) ? [callItem(part)] : [];
    case "tool-result":
      return [resultItem(part)];
    default:
      return [];
  }
}

/** Models refuse a call without an output, so a call that was never answered is left out. */
function answeredCalls(history: readonly Said[]): ReadonlySet<string> {
  const parts = history.flatMap(({ content }) => content as Part[]);
  return new Set(parts.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])));
}

function callItem({ toolCallId, toolName, input }: LanguageModelV3ToolCallPart): ResponseItem {
  const name = toolName.replace(/[^\w-]/g, "_");
  return { type: "function_call", call_id: toolCallId, name, arguments: JSON.stringify(input ?? {}) };
}

function resultItem({ toolCallId, output }: LanguageModelV3ToolResultPart): ResponseItem {
  const parts = outputParts(output);
  if (parts.every(({ type }) => type === "text"))
    return { type: "function_call_output", call_id: toolCallId, output: outputText(output) };
  const content = parts.map((part) => {
    if (part.type === "text") return { type: "input_text" as const, text: part.text };
    const url = "url" in part ? part.url : fileUrl({ data: part.data, mediaType: part.mimeType });
    return { type: "input_image" as const, image_url: url };
  });
  return { type: "function_call_output", call_id: toolCallId, output: content };
}

function userContent(input: readonly InputItem[]): ContentItem[] {
  return input.map((item): ContentItem => {
    if (item.type === "text") return { type: "input_text", text: item.text };
    if (item.type === "image") return { type: "input_image", image_url: (item as { url: string }).url };
    return { type: "input_text", text: `[${item.type}]` };
  });
}

/** Earlier messages as text, for servers that take no history. */
export function renderHistory(history: readonly Said[]): string {
  const lines = history.flatMap((message) => {
    if (message.role === "user") {
      return toInput([message]).map((item) => `User: ${item.type === "text" ? item.text : `[${item.type}]`}`);
    }
    return (message.content as Part[]).flatMap((part) => {
      if (part.type === "text") return [`Assistant: ${part.text}`];
      if (part.type === "tool-call") return [`Assistant called ${part.toolName} with ${JSON.stringify(part.input)}`];
      return part.type === "tool-result" ? [`Result of ${part.toolName}: ${outputText(part.output)}`] : [];
    });
  });
  return `The conversation so far:\n\n${lines.join("\n\n")}`;
}
