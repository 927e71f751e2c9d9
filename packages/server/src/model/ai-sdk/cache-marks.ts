import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/** Anthropic's mark: what comes before is kept for a few minutes. A request may have four. Amazon has its own word. */
const mark = { anthropic: { cacheControl: { type: "ephemeral" } }, bedrock: { cachePoint: { type: "default" } } };

/**
 * True where a cache begins to work by marks: at Anthropic, and for its models behind the packages that pass marks on.
 *
 * @param maker The name of a package, or that of a model's provider.
 */
export function takesCacheMarks(maker: string, model: string): boolean {
  return /^(?:@ai-sdk\/)?anthropic/.test(maker) || (/openrouter|bedrock/.test(maker) && model.includes("claude"));
}

/**
 * Marks a prompt where Anthropic's cache pays: after the instructions, and with them the tools; at the end of the
 * request before this one, whose cache is there; and at the end, for the next one.
 */
export function withCacheMarks(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const last = prompt.length - 1;
  const answer = prompt.findLastIndex(({ role }) => role === "assistant");
  const marked = new Set([prompt.findLastIndex(({ role }) => role === "system"), answer - 1, last]);
  return prompt.map((message, index) => (marked.has(index) ? withMark(message) : message));
}

const withMark = (message: LanguageModelV4Message): LanguageModelV4Message => ({
  ...message,
  providerOptions: { ...message.providerOptions, ...mark },
});
