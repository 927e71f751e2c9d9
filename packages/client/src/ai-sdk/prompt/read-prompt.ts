import type { LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";

/** A message that is not the system's. */
export type Said = Exclude<LanguageModelV3Message, { role: "system" }>;

/** A message of the user. */
export type UserMessage = Extract<LanguageModelV3Message, { role: "user" }>;

/** The result of a tool, and the thread that called it, where the prompt still knows it. */
export interface AnsweredCall {
  readonly result: LanguageModelV3ToolResultPart;
  readonly threadId: string | undefined;
}

/** A prompt, taken apart. */
export interface ReadPrompt {
  /** The text of the system messages. */
  readonly instructions: string | undefined;
  /** The messages before {@link latest}. */
  readonly history: readonly Said[];
  /** The user's last message; empty where the prompt ends with something else. */
  readonly latest: readonly UserMessage[];
  /** Results of tools that came after what the model said last. */
  readonly results: readonly AnsweredCall[];
}

/** Takes a prompt apart. */
export function readPrompt(prompt: LanguageModelV3Prompt): ReadPrompt {
  const system = prompt.flatMap((message) => (message.role === "system" ? [message.content] : []));
  const said = prompt.filter((message): message is Said => message.role !== "system");
  const cut = lastIndex(said, ({ role }) => role !== "user") + 1;
  const history = said.slice(0, cut);
  const asked = lastIndex(history, ({ role }) => role === "assistant");
  const results = history
    .slice(asked + 1)
    .flatMap((message) => (message.role === "tool" ? message.content.filter(isResult) : []));
  return {
    instructions: system.length > 0 ? system.join("\n\n") : undefined,
    history,
    latest: said.slice(cut) as UserMessage[],
    results: results.map((result) => ({ result, threadId: threadOf(history[asked], result.toolCallId) })),
  };
}

function lastIndex(messages: readonly Said[], matches: (message: Said) => boolean): number {
  let index = messages.length - 1;
  while (index >= 0 && !matches(messages[index] as Said)) index--;
  return index;
}

const isResult = (part: { type: string }): part is LanguageModelV3ToolResultPart => part.type === "tool-result";

/** Each call was given its thread as metadata, and the AI SDK brings that back. */
function threadOf(message: Said | undefined, toolCallId: string): string | undefined {
  if (message?.role !== "assistant") return undefined;
  const call = message.content.find((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
  const threadId = call?.providerOptions?.codex?.threadId;
  return typeof threadId === "string" ? threadId : undefined;
}
