import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
} from "@ai-sdk/provider";

/** Call options for a model of the interface's version 3, which writes files otherwise and knows no `reasoning`. */
export function toV3({ prompt, reasoning: _, ...options }: LanguageModelV4CallOptions): LanguageModelV3CallOptions {
  return { ...options, prompt: prompt.map(message) } as LanguageModelV3CallOptions;
}

function message(given: LanguageModelV4Message): LanguageModelV3Message {
  if (given.role !== "user") return given as LanguageModelV3Message;
  return { ...given, content: given.content.map((part) => (part.type === "file" ? file(part) : part)) };
}

function file({ data, ...part }: LanguageModelV4FilePart): LanguageModelV3FilePart {
  if (data.type === "url") return { ...part, data: data.url };
  return { ...part, data: data.type === "data" ? data.data : "" };
}
