import { fingerprint, sha256 } from "../../schema/hash.ts";
import { toolContract } from "../../tool/tool-contract.ts";
import type { PromptParts } from "../prompt-parts.ts";
import { TaskExamplesSection } from "../task-examples.ts";

/** The parts of a prompt that overrides may replace, with hashes of their present texts. */
export interface PromptDescriptor {
  readonly ns: string;
  readonly key: string;
  readonly sections: readonly { readonly path: string; readonly number: string; readonly hash: string }[];
  readonly tools: readonly { readonly path: string; readonly name: string; readonly hash: string }[];
  readonly taskExamples: readonly { readonly path: string; readonly hash: string }[];
}

/** A pure cache: the parts of a prompt do not change. */
const descriptors = new WeakMap<PromptParts, Promise<PromptDescriptor>>();

/** Describes a prompt for authors of overrides, once. */
export function describePrompt(template: PromptParts): Promise<PromptDescriptor> {
  const known = descriptors.get(template);
  if (known !== undefined) return known;
  const descriptor = workOut(template);
  descriptors.set(template, descriptor);
  return descriptor;
}

async function workOut(template: PromptParts): Promise<PromptDescriptor> {
  const open = template.allSections().filter(({ section }) => section.acceptsOverrides);
  const sections = open.flatMap(({ section, path, number }) =>
    section.template === undefined ? [] : [{ path, number, text: section.template }],
  );
  const examples = open.flatMap(({ section, path }) =>
    section instanceof TaskExamplesSection ? [{ section, path }] : [],
  );
  const tools = [
    ...template.tools.map((tool) => ({ path: "", tool })),
    ...template.allSections().flatMap(({ section, path }) => section.tools.map((tool) => ({ path, tool }))),
  ].filter(({ tool }) => tool.acceptsOverrides);
  const descriptor: PromptDescriptor = {
    ns: template.ns,
    key: template.key,
    sections: await Promise.all(
      sections.map(async ({ path, number, text }) => ({ path, number, hash: await sha256(text) })),
    ),
    tools: await Promise.all(
      tools.map(async ({ path, tool }) => ({ path, name: tool.name, hash: (await toolContract(tool)).hash })),
    ),
    taskExamples: await Promise.all(
      examples.map(async ({ path, section }) => ({ path, hash: await fingerprint(section.examples) })),
    ),
  };
  return Object.freeze(descriptor);
}
