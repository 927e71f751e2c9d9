import { PromptValidationError } from "../lib/prompt-errors.ts";
import { fieldsOf } from "../schema/schema-shape.ts";
import type { Tool } from "../tool/tool.ts";
import type { AnySection } from "./section.ts";
import { placeholdersIn } from "./template-text.ts";

/** A section in its place. */
export interface SectionNode {
  readonly section: AnySection;
  /** The keys of the section and those above it, joined by dots. */
  readonly path: string;
  /** Fixed when the prompt is defined: `1.2`. A section that is not there leaves a gap. */
  readonly number: string;
  /** 0 for those at the top. */
  readonly depth: number;
  readonly children: readonly SectionNode[];
}

/** Numbers sections, and refuses what could never be rendered. */
export function sectionTree(sections: readonly AnySection[], templateTools: readonly Tool[]): readonly SectionNode[] {
  const roots = place(sections, undefined);
  const all = allNodes(roots);
  for (const node of all) checkNode(node);
  refuseTwice(
    [...templateTools, ...all.flatMap(({ section }) => section.tools)].map(({ name }) => name),
    "tool",
  );
  refuseTwice(
    all.flatMap(({ section }) => section.skills.map(({ name }) => name)),
    "skill",
  );
  return roots;
}

/** All sections, depth first. */
export function allNodes(nodes: readonly SectionNode[]): readonly SectionNode[] {
  return nodes.flatMap((node) => [node, ...allNodes(node.children)]);
}

function place(sections: readonly AnySection[], above: SectionNode | undefined): readonly SectionNode[] {
  const keys = new Set<string>();
  return sections.map((section, index) => {
    const path = above === undefined ? section.key : `${above.path}.${section.key}`;
    if (keys.has(section.key)) throw new PromptValidationError(`Two sections are called "${path}"`, { path });
    keys.add(section.key);
    const number = above === undefined ? `${index + 1}` : `${above.number}.${index + 1}`;
    const node = { section, path, number, depth: above === undefined ? 0 : above.depth + 1, children: [] };
    return Object.freeze({ ...node, children: place(section.children, node) });
  });
}

function checkNode({ section, path }: SectionNode): void {
  for (const text of [section.template, section.summary])
    if (text !== undefined) checkPlaceholders(section, text, path);
}

/** Refuses placeholders that the section's parameters have no field for, as far as the fields are known. */
export function checkPlaceholders({ params }: AnySection, text: string, path: string): void {
  const fields = params === undefined ? [] : fieldsOf(params);
  for (const placeholder of placeholdersIn(text, path)) {
    if (fields === undefined || fields.includes(placeholder)) continue;
    const known = fields.length === 0 ? "it has no parameters" : `its parameters are ${fields.join(", ")}`;
    const message = `The section "${path}" has a placeholder \${${placeholder}}, but ${known}`;
    throw new PromptValidationError(message, { path, placeholder });
  }
}

function refuseTwice(names: readonly string[], what: string): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new PromptValidationError(`Two ${what}s are called "${twice}"`);
}
