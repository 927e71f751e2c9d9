import { jsonSchema } from "@quire/client";
import { ToolResult } from "../events/tool-result.ts";
import { VisibilityExpansionRequired } from "../lib/visibility-expansion.ts";
import { type Tool, tool } from "../tool/tool.ts";
import { holdsAbilities, openSections, readSection } from "./disclosure-hint.ts";
import type { SectionRenderer } from "./section-renderer.ts";
import { allNodes, type SectionNode } from "./section-tree.ts";

/** The tools by which the model asks for what summaries leave out; none where nothing is left out. */
export function disclosureTools(renderer: SectionRenderer, summarized: readonly SectionNode[]): Tool[] {
  return [
    ...(summarized.some(holdsAbilities) ? [openTool(renderer, summarized) as Tool] : []),
    ...(summarized.some((node) => !holdsAbilities(node)) ? [readTool(renderer, summarized) as Tool] : []),
  ];
}

const text = { type: "string" };

function openTool(renderer: SectionRenderer, summarized: readonly SectionNode[]) {
  return tool({
    name: openSections,
    description: "Shows sections in full that you see the summaries of, with their tools. The task starts again then.",
    input: jsonSchema<{ section_keys: string[]; reason: string }>({
      type: "object",
      properties: {
        section_keys: { type: "array", items: text, description: "Keys of sections, as the summaries name them" },
        reason: { ...text, description: "Why you need them" },
      },
      required: ["section_keys", "reason"],
    }),
    acceptsOverrides: false,
    run({ section_keys: given, reason }) {
      const keys = given.map((key) => key.trim());
      if (keys.length === 0 || keys.includes("")) return ToolResult.error("Name the sections to open by their keys.");
      const unknown = keys.filter((key) => find(renderer, key) === undefined);
      if (unknown.length > 0) return ToolResult.error(`There are no sections ${unknown.join(", ")}.`);
      const closed = new Set(keys.flatMap((key) => hiddenAlong(key, summarized)));
      if (closed.size === 0) return ToolResult.error("All of these sections are open already.");
      throw new VisibilityExpansionRequired({
        requestedOverrides: Object.fromEntries([...closed].map((path) => [path, "full" as const])),
        reason,
        sectionKeys: keys,
      });
    },
  });
}

/** The sections to open for one to be seen: a section within a summarised one shows only if that one does. */
function hiddenAlong(key: string, summarized: readonly SectionNode[]): readonly string[] {
  const above = summarized.find(({ path }) => key === path || key.startsWith(`${path}.`));
  if (above === undefined) return [];
  const parts = key.split(".");
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join("."));
  return paths.filter((path) => path.length >= above.path.length);
}

function readTool(renderer: SectionRenderer, summarized: readonly SectionNode[]) {
  return tool({
    name: readSection,
    description: "Gives the whole text of a section that you see the summary of.",
    input: jsonSchema<{ section_key: string }>({
      type: "object",
      properties: { section_key: { ...text, description: "The key of the section, as its summary names it" } },
      required: ["section_key"],
    }),
    acceptsOverrides: false,
    async run({ section_key: key }) {
      const node = find(renderer, key.trim());
      if (node === undefined) return ToolResult.error(`There is no section "${key}".`);
      const isHidden = summarized.some(({ path }) => node.path === path || node.path.startsWith(`${path}.`));
      if (!isHidden) return ToolResult.error(`The section "${key}" is shown in full already.`);
      return ToolResult.ok(await renderer.read(node));
    },
  });
}

function find(renderer: SectionRenderer, path: string): SectionNode | undefined {
  return allNodes(renderer.template.nodes).find((node) => node.path === path);
}
