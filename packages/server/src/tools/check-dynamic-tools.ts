import type { DynamicToolSpec } from "@quire/protocol";

const namePattern = /^[a-zA-Z0-9_-]+$/;
const maxNameLength = 128;

/** Namespaces of the server itself. */
const reserved = /^(mcp__|multi_agent|functions$|multi_tool_use$)/;

/** The reason, for the client, why a list of dynamic tools cannot be offered. */
export function checkDynamicTools(specs: readonly DynamicToolSpec[]): string | undefined {
  const seen = new Set<string>();
  for (const spec of specs) {
    const problem = spec.type === "namespace" ? checkNamespace(spec, seen) : checkFunction(spec, "", seen);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkNamespace(spec: Extract<DynamicToolSpec, { type: "namespace" }>, seen: Set<string>): string | undefined {
  const { name, tools } = spec;
  const problem = checkName(name, "dynamic tool namespace");
  if (problem !== undefined) return problem;
  if (reserved.test(name)) return `dynamic tool namespace is reserved: ${name}`;
  if (seen.has(`${name}/`)) return `duplicate dynamic tool namespace: ${name}`;
  seen.add(`${name}/`);
  if (tools.length === 0) return `dynamic tool namespace must contain at least one tool: ${name}`;
  for (const tool of tools) {
    const problem = checkFunction(tool, `${name}/`, seen);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

type FunctionSpec = Extract<DynamicToolSpec, { type: "function" }>;

function checkFunction(spec: FunctionSpec, namespace: string, seen: Set<string>): string | undefined {
  const problem = checkName(spec.name, "dynamic tool name");
  if (problem !== undefined) return problem;
  const full = namespace + spec.name;
  if (seen.has(full)) return `duplicate dynamic tool name: ${full.replace("/", ".")}`;
  seen.add(full);
  if (spec.deferLoading && namespace === "") return `deferred dynamic tool must include a namespace: ${spec.name}`;
  const { inputSchema } = spec;
  if (typeof inputSchema === "object" && inputSchema !== null && !Array.isArray(inputSchema)) return undefined;
  return `dynamic tool input schema is not supported for ${spec.name}: invalid type: ${typeName(inputSchema)}, expected struct JsonSchema`;
}

function checkName(name: string, what: string): string | undefined {
  if (name === "") return `${what} must not be empty`;
  if (!namePattern.test(name)) return `${what} must match ^[a-zA-Z0-9_-]+$ to match Responses API: ${name}`;
  if (name.length > maxNameLength)
    return `${what} must be at most ${maxNameLength} characters to match Responses API: ${name}`;
  return undefined;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "sequence" : typeof value;
}
