import type { EffectiveConfig } from "../../src/config/effective-config.ts";
import type { Preamble, PromptContext } from "../../src/prompt/prompt-source.ts";
import { contextMessages } from "../../src/record/context.ts";
import type { TurnSettings } from "../../src/record/turn-settings.ts";
import { settingsIn } from "../support/settings.ts";

/** What a preamble is made from, with what prompts read of the configuration. */
export function contextIn(
  cwd: string,
  more: { settings?: Partial<TurnSettings>; config?: Partial<EffectiveConfig> } & Partial<
    Omit<PromptContext, "settings" | "config">
  > = {},
): PromptContext {
  const { settings, config, ...rest } = more;
  const defaults: Partial<EffectiveConfig> = {
    baseInstructions: null,
    developerInstructions: null,
    projectDocMaxBytes: 32 * 1024,
    projectDocFallbacks: [],
    raw: {},
  };
  return {
    settings: settingsIn(cwd, settings),
    config: { ...defaults, ...config } as EffectiveConfig,
    baseInstructions: null,
    developerInstructions: null,
    ...rest,
  };
}

/** The texts of a preamble, by message. */
export function contextTexts({ sections }: Preamble): ReturnType<typeof textsOf> {
  return textsOf(contextMessages(sections));
}

/** The texts of a list of messages, by role. */
export function textsOf(items: readonly unknown[]): { readonly role: string; readonly texts: string[] }[] {
  return (items as { role: string; content: { text?: string }[] }[]).map(({ role, content }) => ({
    role,
    texts: content.map((part) => part.text ?? ""),
  }));
}
