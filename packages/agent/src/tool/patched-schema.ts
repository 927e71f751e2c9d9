import type { JsonSchema } from "@quire/client";
import { isPlainObject } from "../lib/frozen-copy.ts";
import type { Tool } from "./tool.ts";
import { toolContract } from "./tool-contract.ts";

/** Descriptions that overrides gave to parameters: by tool, then by parameter. */
export type ParamDescriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The advertised schema of a tool's parameters, with the descriptions that overrides gave them. */
export async function patchedSchema(tool: Tool, descriptions: ParamDescriptions): Promise<JsonSchema> {
  const { inputSchema } = await toolContract(tool);
  const own = Object.hasOwn(descriptions, tool.name) ? (descriptions[tool.name] ?? {}) : {};
  const { properties } = inputSchema;
  if (!isPlainObject(properties) || Object.keys(own).length === 0) return inputSchema;
  const patched = Object.entries(properties).map(([name, part]) => {
    const description = Object.hasOwn(own, name) ? own[name] : undefined;
    return [name, description !== undefined && isPlainObject(part) ? { ...part, description } : part];
  });
  return { ...inputSchema, properties: Object.fromEntries(patched) };
}
