import type { Tool } from "./tool.ts";

/** Namespaces of the Responses API itself. */
const reservedNamespaces = ["functions"];

/** Refuses what Codex 0.166 refuses, at the place where it was written. Older versions allow more. */
export function checkToolNames({
  name,
  namespace,
  deferLoading,
}: Pick<Tool, "name" | "namespace" | "deferLoading">): void {
  checkName("tool", name, 128);
  if (namespace !== undefined) {
    checkName("namespace", namespace.name, 64);
    if (reservedNamespaces.includes(namespace.name))
      throw new TypeError(`The namespace "${namespace.name}" is reserved`);
    if (namespace.description.length > 1024)
      throw new TypeError(`The description of namespace "${namespace.name}" is longer than 1024 characters`);
  } else if (deferLoading) {
    throw new TypeError(`The tool "${name}" has deferLoading, which needs a namespace`);
  }
}

function checkName(kind: string, name: string, most: number): void {
  if (!/^[\w-]+$/.test(name) || name.length > most) {
    throw new TypeError(`The ${kind} "${name}" must have 1 to ${most} letters, digits, "_" or "-"`);
  }
  if (name === "mcp" || name.startsWith("mcp__")) {
    throw new TypeError(`The ${kind} "${name}" is reserved: "mcp" and what starts with "mcp__" stand for MCP servers`);
  }
}
