import type { ResponseItem, UserInput } from "@quire/protocol";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { ContextSection } from "../record/context.ts";
import type { TurnSettings } from "../record/turn-settings.ts";

/** The sources of a thread's context. */
export interface PromptContext {
  readonly settings: TurnSettings;
  readonly config: EffectiveConfig;
  /** From `thread/start`; they replace the config's. */
  readonly baseInstructions: string | null;
  readonly developerInstructions: string | null;
  /** Namespaces of tools that the model has to search for. */
  readonly deferred?: readonly DeferredNamespace[] | undefined;
  /** The time by another clock than this machine's. */
  readonly now?: Date | undefined;
}

/** A namespace of tools that are not offered before they are searched for. */
export interface DeferredNamespace {
  readonly name: string;
  readonly description: string;
}

/** Instructions and context, and the files they were taken from. */
export interface Preamble {
  /** For developer messages (base prompt to personality), then for user messages (project instructions, environment). */
  readonly sections: readonly ContextSection[];
  /** The files of project instructions, for `instructionSources`. */
  readonly sources: readonly string[];
  /** Complaints about project instructions that are too long, for the user. */
  readonly warnings: readonly string[];
}

/** Builds the texts for the model. All are our own. */
export interface PromptSource {
  /** Further folders of skills, named by a client. */
  skillRoots: readonly string[];
  /** The context as it is now. */
  preamble(context: PromptContext): Preamble;
  /** A user's input as messages. Reads local images and skills; throws an Error that names an unreadable one. */
  userMessages(input: readonly UserInput[], settings: TurnSettings, config?: EffectiveConfig): Promise<ResponseItem[]>;
  /** The request for a summary, and the user message that carries it on. */
  readonly compaction: { readonly instruction: string; summaryMessage(summary: string): string };
  /** Marks an interrupted turn in the history. */
  readonly interrupted: ResponseItem;
}
