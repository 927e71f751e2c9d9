import type { SchemaInput } from "@quire/client";
import type { Deadline } from "../limits/deadline.ts";
import type { ParamDescriptions } from "../tool/patched-schema.ts";
import type { ToolPolicy } from "../tool/policy/tool-policy.ts";
import type { Tool } from "../tool/tool.ts";
import type { PromptDescriptor } from "./overrides/descriptor.ts";
import type { OutputContainer } from "./prompt-parts.ts";
import type { Skill } from "./skill.ts";

/** A prompt as a model gets it. */
export interface RenderedPrompt<O = unknown> {
  readonly text: string;
  /** Those of sections that are shown in full, then those by which the model asks for more. */
  readonly tools: readonly Tool[];
  /** Those of sections that are shown in full. */
  readonly skills: readonly Skill[];
  /** The output; undefined for text. */
  readonly output: SchemaInput<O> | undefined;
  readonly container: OutputContainer | undefined;
  readonly allowExtraKeys: boolean;
  readonly descriptor: PromptDescriptor;
  readonly deadline: Deadline | undefined;
  /** Descriptions of parameters that overrides gave to tools. */
  readonly paramDescriptions: ParamDescriptions;
  /** The parameters that were rendered, section by section. */
  readonly inputs: readonly { readonly path: string; readonly params: unknown }[];
  /** The rules for a tool: those of its section, of the sections above, of the prompt. */
  policiesFor(toolName: string): readonly ToolPolicy[];
}
