import { PromptValidationError } from "../../lib/prompt-errors.ts";
import { checkText, type Tool } from "../../tool/tool.ts";
import { toolContract } from "../../tool/tool-contract.ts";
import type { PromptParts } from "../prompt-parts.ts";
import { checkPlaceholders } from "../section-tree.ts";
import { dedent } from "../template-text.ts";
import { describePrompt } from "./descriptor.ts";
import type { OverrideStore } from "./override-store.ts";
import type { SectionOverride, TaskExamplesOverride, ToolOverride } from "./prompt-override.ts";

/** The parts of an override that are used. */
export interface ActiveOverride {
  /** Texts of sections, by path, without indentation. */
  readonly sections: ReadonlyMap<string, string>;
  readonly tools: ReadonlyMap<string, ToolOverride>;
  readonly taskExamples: ReadonlyMap<string, TaskExamplesOverride>;
}

/** No overrides. */
export const noOverride: ActiveOverride = { sections: new Map(), tools: new Map(), taskExamples: new Map() };

/**
 * Loads the override of a prompt. Parts that were written for another text, or for what cannot be overridden, are left out.
 * Rejects with a PromptValidationError where a text would not render.
 */
export async function loadOverride(store: OverrideStore, template: PromptParts, tag: string): Promise<ActiveOverride> {
  const descriptor = await describePrompt(template);
  const override = await store.load(descriptor, tag);
  if (override === undefined) return noOverride;
  const active: ActiveOverride = {
    sections: new Map(
      fresh<SectionOverride>(override.sections, descriptor.sections, "path").map(([path, { body }]) => [
        path,
        dedent(body),
      ]),
    ),
    tools: new Map(fresh<ToolOverride>(override.tools, descriptor.tools, "name")),
    taskExamples: new Map(fresh<TaskExamplesOverride>(override.taskExamples, descriptor.taskExamples, "path")),
  };
  checkTexts(active, template);
  await checkExamples(active, template);
  return active;
}

type Entries<T> = Readonly<Record<string, T>> | undefined;

function fresh<T extends SectionOverride | ToolOverride | TaskExamplesOverride>(
  given: Entries<T>,
  present: readonly { readonly hash: string; readonly path: string; readonly name?: string }[],
  by: "path" | "name",
): [string, T][] {
  const hashes = new Map(present.map((each) => [each[by], each.hash]));
  return Object.entries(given ?? {}).filter(([name, { expectedHash }]) => hashes.get(name) === expectedHash);
}

function checkTexts({ sections, tools }: ActiveOverride, template: PromptParts): void {
  for (const { section, path } of template.allSections()) {
    const body = sections.get(path);
    if (body !== undefined) checkPlaceholders(section, body, path);
  }
  for (const [name, { description, params }] of tools) {
    if (description !== undefined) checkText(description, `The overriding description of tool "${name}"`);
    for (const [param, text] of Object.entries(params ?? {})) {
      if (text.trim() === "")
        throw new PromptValidationError(`The overriding description of ${name}.${param} is empty`);
    }
  }
}

/** The contract of a tool is refused where its examples do not fit. */
async function checkExamples({ tools }: ActiveOverride, template: PromptParts): Promise<void> {
  for (const tool of [...template.tools, ...template.allSections().flatMap(({ section }) => section.tools)]) {
    const override = tools.get(tool.name);
    if (override?.examples !== undefined) await toolContract(overrideTool(tool, override));
  }
}

/** A tool with the texts that an override gives it. */
export function overrideTool(tool: Tool, override: ToolOverride | undefined): Tool {
  if (override === undefined) return tool;
  const { description = tool.description, examples = tool.examples } = override;
  return Object.freeze({ ...tool, description: description.trim(), examples });
}
