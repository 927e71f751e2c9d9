import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";

/**
 * Call options for a model of the interface's version 3, which writes files otherwise. It has no word for an effort but
 * those of single packages; given are those of the ones that take every effort.
 */
export function toV3({ prompt, reasoning, ...options }: LanguageModelV4CallOptions): LanguageModelV3CallOptions {
  const { providerOptions = {} } = options;
  const given = { ...options, prompt: prompt.map(message) } as LanguageModelV3CallOptions;
  if (reasoning === undefined) return given;
  const efforts = ["openai", "azure", "openaiCompatible"].map((maker) => [
    maker,
    { ...providerOptions[maker], reasoningEffort: reasoning },
  ]);
  return { ...given, providerOptions: { ...providerOptions, ...Object.fromEntries(efforts) } };
}

function message(given: LanguageModelV4Message): LanguageModelV3Message {
  switch (given.role) {
    case "user":
      return { ...given, content: given.content.map((part) => (part.type === "file" ? file(part) : part)) };
    case "tool":
      return {
        ...given,
        content: given.content.map((part) =>
          part.type === "tool-result" ? { ...part, output: output(part.output) } : part,
        ),
      } as LanguageModelV3Message;
    default:
      return given as LanguageModelV3Message;
  }
}

function file({ data, ...part }: LanguageModelV4FilePart): LanguageModelV3FilePart {
  if (data.type === "url") return { ...part, data: data.url };
  return { ...part, data: data.type === "data" ? data.data : "" };
}

/** Version 3 has names of its own for images in the output of a tool, and skips those of version 4. */
function output(given: LanguageModelV4ToolResultOutput): LanguageModelV3ToolResultOutput {
  if (given.type !== "content") return given as LanguageModelV3ToolResultOutput;
  const value = given.value.map((part) => (part.type === "file" ? image(part) : part));
  return { type: "content", value } as LanguageModelV3ToolResultOutput;
}

function image({ data, mediaType }: LanguageModelV4FilePart): object {
  if (data.type === "url") return { type: "image-url", url: data.url.href };
  return { type: "image-data", data: data.type === "data" ? data.data : "", mediaType };
}
