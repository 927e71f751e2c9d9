import { isTable } from "../lib/table.ts";

/** A tool as its server describes it. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Tools of one server; a model cannot choose among more. */
const maxTools = 1000;
/** A larger schema would fill the model's context by itself. */
const maxSchemaChars = 64 * 1024;
const maxDescriptionChars = 8 * 1024;

/** The tools of one server, and what is wrong with those that cannot be used. */
export interface CheckedTools {
  readonly tools: readonly ServerTool[];
  readonly problems: readonly string[];
}

/** Takes the tools that a server lists as far as they can be used: one that is described wrongly costs only itself. */
export function checkTools(listed: readonly unknown[]): CheckedTools {
  const tools = new Map<string, ServerTool>();
  const problems: string[] = [];
  for (const entry of listed) {
    const found = checkTool(entry);
    if (typeof found === "string") problems.push(found);
    else if (tools.has(found.name)) problems.push(`tool '${found.name}' is listed twice`);
    else if (tools.size >= maxTools) problems.push(`tool '${found.name}' is one of more than ${maxTools}`);
    else tools.set(found.name, found);
  }
  return { tools: [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems: problems.slice(0, 20) };
}

function checkTool(entry: unknown): ServerTool | string {
  if (!isTable(entry) || typeof entry.name !== "string" || entry.name === "") return "a tool has no name";
  const { name, description, inputSchema, annotations } = entry;
  if (name.length > 128) return `the name of tool '${name.slice(0, 64)}…' is too long`;
  if (!isTable(inputSchema) || (inputSchema.type !== undefined && inputSchema.type !== "object")) {
    return `the inputSchema of tool '${name}' does not describe an object`;
  }
  if (inputSchema.properties !== undefined && !isTable(inputSchema.properties))
    return `the properties in the inputSchema of tool '${name}' are no object`;
  if (JSON.stringify(inputSchema).length > maxSchemaChars)
    return `the inputSchema of tool '${name}' is longer than ${maxSchemaChars} characters`;
  return {
    name,
    description: typeof description === "string" ? description.slice(0, maxDescriptionChars) : "",
    inputSchema: { ...inputSchema, type: "object", properties: inputSchema.properties ?? {} },
    annotations: isTable(annotations) ? annotations : {},
    raw: entry,
  };
}
