import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";

type Text = { type: "text" | "reasoning"; text: string };

/** Puts the parts of a step together. Throws the error that the step failed with. */
export async function collect(parts: AsyncIterable<LanguageModelV3StreamPart>): Promise<LanguageModelV3GenerateResult> {
  const content: LanguageModelV3Content[] = [];
  const open = new Map<string, Text>();
  let result: Omit<LanguageModelV3GenerateResult, "content" | "finishReason" | "usage"> = { warnings: [] };
  for await (const part of parts) {
    switch (part.type) {
      case "stream-start":
        result = { ...result, warnings: part.warnings };
        break;
      case "response-metadata": {
        const { type: _, ...response } = part;
        result = { ...result, response };
        break;
      }
      case "text-start":
      case "reasoning-start": {
        const { providerMetadata } = part;
        const type = part.type === "text-start" ? "text" : "reasoning";
        const text: LanguageModelV3Content & Text = { type, text: "", ...(providerMetadata && { providerMetadata }) };
        open.set(part.id, text);
        content.push(text);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const text = open.get(part.id);
        if (text) text.text += part.delta;
        break;
      }
      case "tool-call":
      case "tool-result":
      case "file":
        content.push(part);
        break;
      case "error":
        throw part.error;
      case "finish": {
        const { type: _, ...finish } = part;
        return { ...result, ...finish, content };
      }
    }
  }
  throw new Error("The step had no end");
}
