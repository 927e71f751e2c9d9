import type { ToolExample } from "../../tool/tool.ts";
import type { TaskExample } from "../task-examples.ts";

/** Another text for a section. */
export interface SectionOverride {
  /** The hash of the text that it was written for. Where the prompt has another by now, it is not used. */
  readonly expectedHash: string;
  readonly body: string;
}

/** Other texts for a tool. */
export interface ToolOverride {
  /** The hash of the contract that it was written for. */
  readonly expectedHash: string;
  readonly description?: string | undefined;
  /** Descriptions of parameters, by name. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly examples?: readonly ToolExample[] | undefined;
}

/** Other examples for a section of examples. */
export interface TaskExamplesOverride {
  readonly expectedHash: string;
  readonly examples: readonly TaskExample[];
}

/** Texts that are used in place of a prompt's own. Names, types and what there is cannot be changed by it. */
export interface PromptOverride {
  readonly ns: string;
  readonly key: string;
  readonly tag: string;
  /** By the path of the section. */
  readonly sections?: Readonly<Record<string, SectionOverride>> | undefined;
  /** By the name of the tool. */
  readonly tools?: Readonly<Record<string, ToolOverride>> | undefined;
  /** By the path of the section. */
  readonly taskExamples?: Readonly<Record<string, TaskExamplesOverride>> | undefined;
}
