import type { ParamsOf } from "./make-sections.ts";
import { type Binding, Prompt, type PromptOptions } from "./prompt.ts";
import { type PromptDefinition, PromptParts } from "./prompt-parts.ts";
import type { AnySection, CloneOptions } from "./section.ts";

/** A prompt that nothing is bound to. It does not change; any number of prompts can be made of it. */
export class PromptTemplate<P = unknown, O = unknown> extends PromptParts<P, O> {
  readonly #definition: PromptDefinition<readonly AnySection[], O>;

  constructor(definition: PromptDefinition<readonly AnySection[], O>) {
    super(definition);
    this.#definition = definition;
    Object.freeze(this);
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
