import type { ModelFacts } from "./model-facts.ts";

const k = 1024;

/**
 * Families of models by the beginning of their name, longer ones first. Prices change too often to stand here. Images are
 * left out where a family takes none, so it says so only if all of its models do.
 */
const families: readonly (readonly [RegExp, ModelFacts])[] = [
  [/^gpt-oss/, { contextWindow: 128 * k, reasoning: true, images: false }],
  [/^qwen3-coder/, { contextWindow: 256 * k, reasoning: false, images: false }],
  [/^qwen3/, { contextWindow: 32 * k, reasoning: true }],
  [/^qwen2\.5-coder/, { contextWindow: 32 * k, reasoning: false, images: false }],
  [/^(?:devstral|mistral-small|magistral)/, { contextWindow: 128 * k }],
  [/^codestral/, { contextWindow: 256 * k, reasoning: false, images: false }],
  [/^llama-?3\.[123]/, { contextWindow: 128 * k, reasoning: false }],
  [/^deepseek-r1/, { contextWindow: 64 * k, reasoning: true, images: false }],
  [/^deepseek-(?:v3|chat|reasoner)/, { contextWindow: 128 * k, images: false }],
  [/^gemma-?3/, { contextWindow: 128 * k, reasoning: false }],
  [/^phi-?4/, { contextWindow: 16 * k, reasoning: false }],
  [/^glm-4\.[56]/, { contextWindow: 128 * k, reasoning: true }],
  [/^kimi-k2/, { contextWindow: 128 * k }],
  [/^claude-/, { contextWindow: 200_000, reasoning: true, images: true }],
  [/^gemini-/, { contextWindow: 1_000_000, reasoning: true, images: true }],
];

/** The facts about a well-known model; `undefined` for any other. Owners and tags around the name do not matter. */
export function knownModel(model: string): ModelFacts | undefined {
  const name = (model.split("/").at(-1) ?? "").toLowerCase();
  return families.find(([family]) => family.test(name))?.[1];
}
