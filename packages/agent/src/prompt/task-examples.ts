import { PromptValidationError } from "../lib/prompt-errors.ts";
import { fence } from "../tool/render-examples.ts";
import { renderValue } from "../tool/render-value.ts";
import type { SectionContext } from "./section.ts";
import { type AnySectionOptions, Section, type SectionText } from "./section.ts";

/** A tool call in a {@link TaskExample}. */
export interface TaskStep {
  readonly tool: string;
  /** Why this call, in a few words. */
  readonly description?: string | undefined;
  readonly input: unknown;
  readonly output: unknown;
}

/** Shows the model how a whole task is done. */
export interface TaskExample {
  /** The task. */
  readonly objective: string;
  readonly steps: readonly TaskStep[];
  /** The result. */
  readonly outcome: unknown;
}

/** Options of {@link taskExamples}. */
export interface TaskExamplesOptions
  extends Pick<AnySectionOptions, "key" | "acceptsOverrides" | "summary" | "skills" | "resources" | "cleanup"> {
  /** Default `Examples`. */
  readonly title?: string | undefined;
  readonly examples: readonly TaskExample[];
}

/** A section of examples. Overrides may replace them. */
export class TaskExamplesSection extends Section<unknown> {
  readonly examples: readonly TaskExample[];

  constructor(options: TaskExamplesOptions) {
    super({ ...options, title: options.title ?? "Examples" });
    this.examples = Object.freeze([...options.examples]);
    if (this.examples.some(({ objective }) => objective.trim() === ""))
      throw new PromptValidationError(`Every example of "${this.key}" needs an objective`, { path: this.key });
  }

  override render(_params: unknown, _context: SectionContext, _text: SectionText): string {
    return renderTaskExamples(this.examples);
  }
}

/** Makes a section that shows how whole tasks are done. */
export function taskExamples(options: TaskExamplesOptions): Section {
  return new TaskExamplesSection(options);
}

/** Examples as the model reads them. */
export function renderTaskExamples(examples: readonly TaskExample[]): string {
  return examples.map((example, index) => renderOne(example, index + 1)).join("\n\n");
}

function renderOne({ objective, steps, outcome }: TaskExample, number: number): string {
  const lines = [`Example ${number}: ${objective.trim()}`];
  for (const [index, step] of steps.entries()) {
    const why = step.description === undefined ? "" : `: ${step.description}`;
    lines.push(`Step ${index + 1}, \`${step.tool}\`${why}`);
    lines.push(`Input:\n${fence(JSON.stringify(step.input ?? {}), "json")}`);
    lines.push(`Output:\n${fence(renderValue(step.output))}`);
  }
  lines.push(`Outcome:\n${fence(renderValue(outcome))}`);
  return lines.join("\n\n");
}
