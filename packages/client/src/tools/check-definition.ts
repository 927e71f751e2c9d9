/** Options of `tool()`. */
const known: readonly string[] = ["name", "description", "input", "run", "namespace", "deferLoading"];

/** Options that only tools of prompts have. */
const ofPrompts: readonly string[] = ["output", "examples", "acceptsOverrides"];

/** Names of the same options in other libraries. */
const otherNames = new Map([
  ...["parameters", "params", "inputSchema", "input_schema", "schema", "args", "arguments"].map(
    (name) => [name, "input"] as const,
  ),
  ...["execute", "handler", "handle", "call", "callback", "invoke", "func", "fn"].map((name) => [name, "run"] as const),
  ...["outputSchema", "output_schema", "returns"].map((name) => [name, "output"] as const),
  ["title", "description"],
  ["group", "namespace"],
]);

/**
 * Throws a TypeError where a definition lacks something or has an option that `tool()` does not know, and names the one
 * that was meant.
 */
export function checkToolDefinition(definition: unknown, options: { readonly ofPrompt?: boolean } = {}): void {
  if (typeof definition !== "object" || definition === null)
    throw new TypeError("tool() takes an object: { name, description, input, run }");
  const { name, description, input, run } = definition as Readonly<Record<string, unknown>>;
  if (typeof name !== "string") throw new TypeError("A tool needs a name: a string");
  const allowed = options.ofPrompt ? [...known, ...ofPrompts] : known;
  for (const [option, value] of Object.entries(definition)) {
    if (value !== undefined && !allowed.includes(option)) throw new TypeError(unknownOption(name, option, allowed));
  }
  if (typeof description !== "string")
    throw new TypeError(`The tool "${name}" needs a description: the model reads it`);
  if (typeof run !== "function" && !(options.ofPrompt && run === null))
    throw new TypeError(`The tool "${name}" needs run, a function that does the work`);
  if (input !== undefined && (input === null || (typeof input !== "object" && typeof input !== "function")))
    throw new TypeError(`The input of tool "${name}" must be a schema: one of zod, valibot or arktype, or JSON Schema`);
}

/** Throws a TypeError for anything in a list of tools that was not made by `tool()`. */
export function checkTool(tool: unknown): void {
  const { name, input, run } = (tool ?? {}) as Readonly<Record<string, unknown>>;
  const shown = typeof name === "string" ? `"${name}"` : String(tool);
  if (Object.hasOwn(Object(tool), "acceptsOverrides"))
    throw new TypeError(`The tool ${shown} was made for prompts: make it with tool() of @quire/client`);
  if (typeof name !== "string" || typeof run !== "function" || input === undefined || input === null)
    throw new TypeError(`${shown} is no tool: make it with tool({ name, description, input, run })`);
}

function unknownOption(name: string, option: string, allowed: readonly string[]): string {
  const meant = otherNames.get(option);
  const problem = `The tool "${name}" has no option ${option}`;
  if (ofPrompts.includes(meant ?? option) && !allowed.includes(meant ?? option))
    return `${problem}: only tools of prompts have ${meant ?? option}, made with tool() of @quire/agent`;
  return `${problem}: ${meant === undefined ? `it has ${allowed.join(", ")}` : `use ${meant}`}`;
}
