/** Namespaces of the Responses API itself. */
const reservedNamespaces = ["functions"];

/** The names of a tool, as far as the rules look at them. */
interface ToolNames {
  readonly name: string;
  readonly namespace?: { readonly name: string; readonly description: string } | undefined;
  readonly deferLoading?: boolean | undefined;
}

/** Refuses what Codex 0.166 refuses, at the place where it was written. Older versions allow more. */
export function checkToolNames({ name, namespace, deferLoading }: ToolNames): void {
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
