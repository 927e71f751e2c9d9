import type { SchemaInput } from "@quire/client";
import type { CompletionChecker } from "../beyond/completion.ts";
import type { FeedbackProvider } from "../beyond/feedback.ts";
import { kindOf } from "../schema/schema-shape.ts";
import type { ToolPolicy } from "../tool/policy/tool-policy.ts";
import type { Tool } from "../tool/tool.ts";
import type { ParamsOf } from "./make-sections.ts";
import { normalizeName } from "./names.ts";
import { type Binding, Prompt, type PromptOptions } from "./prompt.ts";
import { PromptValidationError } from "./prompt-errors.ts";
import type { OutputContainer } from "./rendered-prompt.ts";
import type { ResourceBinding } from "./resources/resource-binding.ts";
import type { AnySection } from "./section.ts";
import type { CloneOptions } from "./section-options.ts";
import { allNodes, type SectionNode, sectionTree } from "./section-tree.ts";

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
  readonly tools?: readonly Tool[] | undefined;
  /** Rules for all tools. */
  readonly policies?: readonly ToolPolicy[] | undefined;
  readonly feedback?: readonly FeedbackProvider[] | undefined;
  readonly completion?: CompletionChecker | undefined;
  /** Whether the output may have keys that its schema does not know. Default false. */
  readonly allowExtraKeys?: boolean | undefined;
  readonly resources?: readonly ResourceBinding[] | undefined;
  /** What is asked for: an object, or an array of objects. Default: text. */
  readonly output?: SchemaInput<O> | undefined;
}

/** A prompt that nothing is bound to. It does not change; any number of prompts can be made of it. */
export class PromptTemplate<P = unknown, O = unknown> {
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
  /** The sections at the top, in their places. */
  readonly nodes: readonly SectionNode[];
  /** Exists in types only. */
  declare readonly "~params"?: P;
  readonly #definition: PromptDefinition<readonly AnySection[], O>;

  constructor(definition: PromptDefinition<readonly AnySection[], O>) {
    this.#definition = definition;
    this.ns = normalizeName(definition.ns, "namespace");
    this.key = normalizeName(definition.key, "prompt key");
    this.name = definition.name ?? null;
    this.sections = Object.freeze([...definition.sections]);
    this.tools = Object.freeze([...(definition.tools ?? [])]);
    this.policies = Object.freeze([...(definition.policies ?? [])]);
    this.feedback = Object.freeze([...(definition.feedback ?? [])]);
    this.completion = definition.completion;
    this.allowExtraKeys = definition.allowExtraKeys ?? false;
    this.resources = Object.freeze([...(definition.resources ?? [])]);
    this.output = definition.output;
    this.container = containerOf(definition.output);
    this.nodes = Object.freeze(sectionTree(this.sections, this.tools));
    Object.freeze(this);
  }

  /** Its name in events and errors. */
  get eventName(): string {
    return this.name ?? `${this.ns}:${this.key}`;
  }

  /** All sections in their places, depth first. */
  allSections(): readonly SectionNode[] {
    return allNodes(this.nodes);
  }

  /** Makes a prompt, to which parameters can be bound. */
  prompt(options: PromptOptions = {}): Prompt<P, O> {
    return new Prompt(this, options);
  }

  /** Makes a prompt with these parameters. */
  bind(...values: readonly Binding<P>[]): Prompt<P, O> {
    return this.prompt().bind(...values);
  }

  /** The same template with its sections made anew, for another session. */
  clone(options: CloneOptions): PromptTemplate<P, O> {
    const sections = this.sections.map((section) => section.clone(options));
    return new PromptTemplate({ ...this.#definition, sections });
  }
}

function containerOf(output: SchemaInput | undefined): OutputContainer | undefined {
  const kind = output === undefined ? undefined : kindOf(output);
  if (kind === "other")
    throw new PromptValidationError("The output must be an object or an array: put it into an object");
  return kind;
}

/**
 * Defines a prompt. What does not fit together is refused here, not when it is used.
 *
 * ```ts
 * const summarize = definePrompt({
 *   ns: "demo",
 *   key: "summarize",
 *   sections: [
 *     markdown({ key: "task", title: "Task", template: "Summarize ${repo}.", params: z.object({ repo: z.string() }) }),
 *   ],
 *   output: z.object({ title: z.string(), files: z.array(z.string()) }),
 * });
 * const prompt = summarize.bind({ repo: "quire" });
 * ```
 */
export function definePrompt<const S extends readonly AnySection[], O = undefined>(
  definition: PromptDefinition<S, O>,
): PromptTemplate<ParamsOf<S>, O> {
  return new PromptTemplate(definition);
}
