import type { Tool as ClientTool, SchemaInput } from "@quire/client";
import { PromptValidationError } from "../lib/prompt-errors.ts";
import type { ResourceBinding } from "../resources/resource-binding.ts";
import { kindOf } from "../schema/schema-shape.ts";
import type { ToolPolicy } from "../tool/policy/tool-policy.ts";
import { type Tool, toolsOf } from "../tool/tool.ts";
import type { CompletionChecker } from "./completion.ts";
import type { FeedbackProvider } from "./feedback.ts";
import { normalizeName } from "./names.ts";
import type { AnySection } from "./section.ts";
import { allNodes, type SectionNode, sectionTree } from "./section-tree.ts";

/** The form of a prompt's output: one object, or an array of them. */
export type OutputContainer = "object" | "array";

/** A prompt as one writes it down. */
export interface PromptDefinition<S extends readonly AnySection[], O> {
  /** Groups prompts: `support`. */
  readonly ns: string;
  /** Names the prompt in its group: `triage`. */
  readonly key: string;
  /** Its name in events and errors. Default: `ns:key`. */
  readonly name?: string | undefined;
  readonly sections: S;
  /** Tools that belong to no section. */
  readonly tools?: readonly (Tool | ClientTool)[] | undefined;
  /** Rules for all tools. */
  readonly policies?: readonly ToolPolicy[] | undefined;
  readonly feedback?: readonly FeedbackProvider[] | undefined;
  readonly completion?: CompletionChecker | undefined;
  /** Allows keys in the output that its schema does not know. Default false. */
  readonly allowExtraKeys?: boolean | undefined;
  readonly resources?: readonly ResourceBinding[] | undefined;
  /** The output: an object, or an array of objects. Default: text. */
  readonly output?: SchemaInput<O> | undefined;
}

/** The checked parts of a prompt. They do not change. */
export class PromptParts<P = unknown, O = unknown> {
  readonly ns: string;
  readonly key: string;
  readonly name: string | null;
  readonly sections: readonly AnySection[];
  readonly tools: readonly Tool[];
  readonly policies: readonly ToolPolicy[];
  readonly feedback: readonly FeedbackProvider[];
  readonly completion: CompletionChecker | undefined;
  readonly allowExtraKeys: boolean;
  readonly resources: readonly ResourceBinding[];
  readonly output: SchemaInput<O> | undefined;
  /** Undefined without output, and where only the schema library can tell, later. */
  readonly container: OutputContainer | undefined;
  /** The top-level sections. */
  readonly nodes: readonly SectionNode[];
  /** Exists in types only. */
  declare readonly "~params"?: P;

  constructor(definition: PromptDefinition<readonly AnySection[], O>) {
    this.ns = normalizeName(definition.ns, "namespace");
    this.key = normalizeName(definition.key, "prompt key");
    this.name = definition.name ?? null;
    this.sections = Object.freeze([...definition.sections]);
    this.tools = toolsOf(definition.tools);
    this.policies = Object.freeze([...(definition.policies ?? [])]);
    this.feedback = Object.freeze([...(definition.feedback ?? [])]);
    this.completion = definition.completion;
    this.allowExtraKeys = definition.allowExtraKeys ?? false;
    this.resources = Object.freeze([...(definition.resources ?? [])]);
    this.output = definition.output;
    this.container = containerOf(definition.output);
    this.nodes = Object.freeze(sectionTree(this.sections, this.tools));
  }

  /** Its name in events and errors. */
  get eventName(): string {
    return this.name ?? `${this.ns}:${this.key}`;
  }

  /** All sections, depth first. */
  allSections(): readonly SectionNode[] {
    return allNodes(this.nodes);
  }
}

function containerOf(output: SchemaInput | undefined): OutputContainer | undefined {
  const kind = output === undefined ? undefined : kindOf(output);
  if (kind === "other")
    throw new PromptValidationError("The output must be an object or an array: put it into an object");
  return kind;
}
