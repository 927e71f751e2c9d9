import type { LanguageModelV3FunctionTool, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";
import { isObject } from "../schema/json-value.ts";
import type { HostToolResult, HostToolSpec } from "./harness-types.ts";

type Output = LanguageModelV3ToolResultPart["output"];

const outputTypes: ReadonlySet<unknown> = new Set<Output["type"]>([
  "text",
  "json",
  "error-text",
  "error-json",
  "execution-denied",
  "content",
]);

/** A tool of the host as the model sees it. */
export function toFunctionTool({ name, description, inputSchema }: HostToolSpec): LanguageModelV3FunctionTool {
  return {
    type: "function",
    name,
    ...(description !== undefined && { description }),
    inputSchema: (inputSchema ?? { type: "object" }) as LanguageModelV3FunctionTool["inputSchema"],
  };
}

/** The result of a tool of the host, for the model. */
export function toOutput({ output, isError, toolResult }: HostToolResult): Output {
  const given = toolResult?.output;
  if (isObject(given) && outputTypes.has(given.type)) return withImages(given as unknown as Output);
  if (isObject(output) && output.type === "execution-denied") return output as unknown as Output;
  if (typeof output === "string") return { type: isError ? "error-text" : "text", value: output };
  const value = JSON.parse(JSON.stringify(toPlain(output) ?? null)) as null;
  return { type: isError ? "error-json" : "json", value };
}

const toPlain = (output: unknown): unknown => (output instanceof Error ? output.message : output);

/** Version 7 of the AI SDK has one kind of part for all files. */
function withImages(output: Output): Output {
  if (output.type !== "content") return output;
  const value = output.value.map((part) => {
    const { type, data, mediaType } = part as { type: string; data?: unknown; mediaType?: string };
    if (type !== "file" || !isObject(data) || !mediaType?.startsWith("image")) return part;
    if (data.type === "url") return { type: "image-url" as const, url: String(data.url) };
    return typeof data.data === "string" ? { type: "image-data" as const, data: data.data, mediaType } : part;
  });
  return { type: "content", value };
}
