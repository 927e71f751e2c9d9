/** Options of `tool()`. */
const known: readonly string[] = ["name", "description", "input", "run", "namespace", "deferLoading"];

/** Options that only tools of prompts have. */
const ofPrompts: readonly string[] = ["output", "examples", "acceptsOverrides"];

/** Names of the same options in other libraries. */
const otherNames: readonly (readonly [RegExp, string])[] = [
  [/^(param(eter)?s|input_?schema|schema|arg(ument)?s)$/i, "input"],
  [/^(execute|handler?|call(back)?|invoke|func|fn)$/, "run"],
  [/^(output_?schema|returns)$/i, "output"],
];

/**
 * Throws a TypeError where a definition lacks something or has an option that `tool()` does not know, and names the one
 * that was meant.
 */
export function checkToolDefinition(definition: unknown, options: { readonly ofPrompt?: boolean } = {}): void {
  const { name, description, input, run } = Object(definition) as Readonly<Record<string, unknown>>;
  if (typeof name !== "string")
    throw new TypeError("tool() takes { name, description, input, run }; the name is a string");
  const refuse = (problem: string): never => {
    throw new TypeError(`The tool "${name}" ${problem}`);
  };
  const allowed = options.ofPrompt ? [...known, ...ofPrompts] : known;
  for (const [option, value] of Object.entries(Object(definition))) {
    if (value !== undefined && !allowed.includes(option)) refuse(`has no option ${option}: ${remedy(option, allowed)}`);
  }
  if (typeof description !== "string") refuse("needs a description: the model reads it");
  if (typeof run !== "function" && !(options.ofPrompt && run === null))
    refuse("needs run, a function that does the work");
  if (input !== undefined && Object(input) !== input)
    refuse("needs a schema as its input: zod, valibot, arktype, or JSON Schema");
}

/** Throws a TypeError for anything in a list of tools that was not made by `tool()`. */
export function checkTool(tool: unknown): void {
  const { name, input, run, acceptsOverrides } = Object(tool) as Readonly<Record<string, unknown>>;
  if (acceptsOverrides !== undefined)
    throw new TypeError(`The tool "${name}" was made for prompts: make it with tool() of @quire/client`);
  if (typeof name !== "string" || typeof run !== "function" || !input)
    throw new TypeError(`"${name}" is no tool: make it with tool({ name, description, input, run })`);
}

function remedy(option: string, allowed: readonly string[]): string {
  const meant = otherNames.find(([names]) => names.test(option))?.[1] ?? option;
  if (allowed.includes(meant)) return `use ${meant}`;
  if (ofPrompts.includes(meant)) return `only tools of prompts have ${meant}, made with tool() of @quire/agent`;
  return `it has ${allowed.join(", ")}`;
}
