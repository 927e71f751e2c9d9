import type { ToolSpec } from "../model-provider.ts";

/** A tool that a request offers. */
export interface OfferedTool {
  readonly name: string;
  readonly namespace: string | null;
  readonly custom: boolean;
}

/** Finds a tool by its name, within namespaces too; `namespace.name` works as well. */
export function findTool(tools: readonly ToolSpec[], name: string): OfferedTool | undefined {
  for (const tool of tools) {
    if (tool.type === "namespace") {
      const inner = isList(tool.tools) ? tool.tools : [];
      const match = inner.find((each) => each.name === name || `${String(tool.name)}.${String(each.name)}` === name);
      if (match) return { name: String(match.name), namespace: String(tool.name), custom: match.type === "custom" };
    } else if (tool.name === name) {
      return { name, namespace: null, custom: tool.type === "custom" };
    }
  }
  return undefined;
}

/** Names of all tools on offer. */
export function toolNames(tools: readonly ToolSpec[]): string[] {
  return tools.flatMap((tool) => {
    if (tool.type !== "namespace") return [String(tool.name ?? tool.type)];
    return (isList(tool.tools) ? tool.tools : []).map((inner) => `${String(tool.name)}.${String(inner.name)}`);
  });
}

function isList(value: unknown): value is readonly ToolSpec[] {
  return Array.isArray(value);
}
