import type { ResponseItem, UserInput } from "@quire/protocol";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { TurnSettings } from "../record/turn-settings.ts";

/** What stands before the history in every request to the model. */
export interface PromptContext {
  readonly settings: TurnSettings;
  readonly config: EffectiveConfig;
  /** From `thread/start`; they replace the config's. */
  readonly baseInstructions: string | null;
  readonly developerInstructions: string | null;
  /** What time it is, where another clock than this machine's counts. */
  readonly now?: Date | undefined;
}

/** Instructions and context as messages, and the files they were taken from. */
export interface Preamble {
  /** Developer messages (base prompt, permissions and mode, developer instructions, skills), then user messages
   * (project instructions, `<environment_context>`). */
  readonly items: readonly ResponseItem[];
  /** Files that project instructions were read from, for `instructionSources`. */
  readonly sources: readonly string[];
}

/** Builds what the model is told. All text is our own. */
export interface PromptSource {
  /** Folders of skills that a client has named, beside those that are looked at anyway. */
  skillRoots: readonly string[];
  preamble(context: PromptContext): Preamble;
  /** A user's input as the model sees it. Reads local images and skills; throws an Error that names what cannot be read. */
  userMessages(input: readonly UserInput[], settings: TurnSettings, config?: EffectiveConfig): Promise<ResponseItem[]>;
  /** The request that makes the model summarise, and the user message that carries the summary on. */
  readonly compaction: { readonly instruction: string; summaryMessage(summary: string): string };
  /** The marker that a turn was interrupted, for the history. */
  readonly interrupted: ResponseItem;
}
