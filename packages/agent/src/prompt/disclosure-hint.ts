import { allNodes, type SectionNode } from "./section-tree.ts";

/** The tool by which the model asks to see sections in full from now on, with their tools and skills. */
export const openSections: string = "open_sections";

/** The tool by which the model reads a section once. */
export const readSection: string = "read_section";

/** Tells whether a section, or one in it, has tools or skills: then it must be opened, since reading it brings none. */
export function holdsAbilities(node: SectionNode): boolean {
  return allNodes([node]).some(({ section }) => section.tools.length > 0 || section.skills.length > 0);
}

/** Tells the model how to get at what a summary leaves out. */
export function disclosureHint(node: SectionNode): string {
  const inner = allNodes(node.children).map(({ path }) => path);
  const rest = inner.length === 0 ? "" : ` It holds ${inner.join(", ")}.`;
  const call = holdsAbilities(node)
    ? `call \`${openSections}\` with the section key "${node.path}"`
    : `call \`${readSection}\` with the section key "${node.path}"`;
  return `This is a summary. To see the whole section, ${call}.${rest}`;
}
