import type { DynamicToolSpec, FunctionDynamicToolSpec } from "@quire/protocol";
import { compareVersions } from "@quire/protocol";
import type { JsonSchema } from "../schema/json-schema.ts";
import { SchemaError } from "../schema/schema-error.ts";
import { toJsonSchema } from "../schema/to-json-schema.ts";
import { checkTool } from "./check-definition.ts";
import type { Tool } from "./tool.ts";

/** The form in which servers before 0.141 take a tool; later ones take it too, if all tools have it. */
export interface FlatToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly namespace?: string;
  readonly deferLoading?: boolean;
}

/** The first version that takes the form with a `type`. */
const typedSince = "0.141.0";

type TypedToolSpec = FunctionDynamicToolSpec & { readonly inputSchema: JsonSchema };

/** A tool as it travels in `thread/start`, apart from its namespace. */
export async function toolSpec(tool: Tool): Promise<TypedToolSpec> {
  const { name, description, deferLoading } = tool;
  const inputSchema = await toJsonSchema(tool.input);
  if (inputSchema.type !== "object") {
    throw new SchemaError(`The input of tool "${name}" must be an object: put it into a property of one`);
  }
  return { type: "function", name, description, inputSchema, ...(deferLoading ? { deferLoading } : {}) };
}

/** Tools in the form that every server takes which has tools. Throws for two of one name. */
export async function flatToolSpecs(tools: Iterable<Tool>): Promise<FlatToolSpec[]> {
  const all = checkedTools(tools);
  refuseDuplicates(all, true);
  return Promise.all(all.map(async (tool) => flatten(await toolSpec(tool), tool.namespace?.name)));
}

/**
 * All tools of a thread as they travel in `dynamicTools` of `thread/start`, in the form that the server takes.
 * Throws for two tools of one name.
 */
export async function toolSpecs(tools: Iterable<Tool>, serverVersion?: string | undefined): Promise<DynamicToolSpec[]> {
  const all = checkedTools(tools);
  // The flat form is older than the generated type.
  if (serverVersion === undefined || compareVersions(serverVersion, typedSince) < 0)
    return flatToolSpecs(all) as Promise<unknown> as Promise<DynamicToolSpec[]>;
  refuseDuplicates(all, false);
  const specs = await Promise.all(all.map(toolSpec));
  const groups = new Map<string, { description: string; tools: FunctionDynamicToolSpec[] }>();
  const result: DynamicToolSpec[] = [];
  for (const [index, spec] of specs.entries()) {
    const namespace = all[index]?.namespace;
    if (namespace === undefined) result.push(spec);
    else {
      const group = groups.get(namespace.name) ?? { description: "", tools: [] };
      group.description ||= namespace.description;
      group.tools.push(spec);
      groups.set(namespace.name, group);
    }
  }
  for (const [name, group] of groups) result.push({ type: "namespace", name, ...group });
  return result;
}

function checkedTools(tools: Iterable<Tool>): readonly Tool[] {
  if (typeof (tools as Partial<Iterable<Tool>>)[Symbol.iterator] !== "function")
    throw new TypeError("tools must be an array of what tool() returns");
  const all = [...tools];
  for (const tool of all) checkTool(tool);
  return all;
}

function flatten({ type: _, ...spec }: TypedToolSpec, namespace: string | undefined): FlatToolSpec {
  return namespace === undefined ? spec : { ...spec, namespace };
}

function refuseDuplicates(tools: readonly Tool[], isFlat: boolean): void {
  const seen = new Set<string>();
  for (const { name, namespace } of tools) {
    const key = isFlat || namespace === undefined ? name : `${namespace.name}.${name}`;
    if (seen.has(key)) throw new TypeError(`Two tools are called "${key}"`);
    seen.add(key);
  }
}
