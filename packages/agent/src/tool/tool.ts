import {
  type Tool as ClientTool,
  type ToolDefinition as ClientToolDefinition,
  tool as clientTool,
  type SchemaInput,
  type ToolPart,
} from "@quire/client";
import { checkToolDefinition } from "@quire/client/tools";
import type { ToolResult } from "../events/tool-result.ts";
import { PromptValidationError } from "../lib/prompt-errors.ts";
import { checkNow, kindOf } from "../schema/schema-shape.ts";
import type { ToolContext } from "./tool-context.ts";

/** Shows the model how a tool is used. */
export interface ToolExample<I = unknown, O = unknown> {
  /** 1 to 200 ASCII characters. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
}

/** A tool's output: that of the client's tools, or a {@link ToolResult}. */
export type ToolReturn<O> = O | ToolResult<O> | ToolPart | readonly ToolPart[];

/** Does a tool's work. What it throws is read by the model, and rolls the session back. Keep it short. */
export type ToolRun<I, O> = (input: I, context: ToolContext) => ToolReturn<O> | Promise<ToolReturn<O>>;

/** Options of {@link tool}: those of the client's `tool()`, and more. */
export interface ToolDefinition<I, O> extends Omit<ClientToolDefinition<I>, "run"> {
  /** 1 to 64 lower-case letters, digits, `_` and `-`. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it: 1 to 200 ASCII characters. */
  readonly description: string;
  /** The value of a result: an object or an array. For types, examples and overrides; results are not checked. */
  readonly output?: SchemaInput<O> | undefined;
  /** Null for a tool that the prompt only mentions: the model cannot call it. */
  readonly run: ToolRun<I, O> | null;
  readonly examples?: readonly ToolExample<NoInfer<I>, NoInfer<O>>[] | undefined;
  /** Lets overrides change its texts. Default true. */
  readonly acceptsOverrides?: boolean | undefined;
}

/** A tool that a model can call. */
export interface Tool<I = unknown, O = unknown> extends Omit<ClientTool<I>, "run"> {
  readonly output: SchemaInput<O> | undefined;
  readonly examples: readonly ToolExample<I, O>[];
  readonly acceptsOverrides: boolean;
  /** Undefined for a tool that the prompt only mentions. */
  run?(input: I, context: ToolContext): ToolReturn<O> | Promise<ToolReturn<O>>;
}

/**
 * Makes a tool for prompts, typed by its schemas. A tool of `@quire/client` can be passed as it is.
 *
 * ```ts
 * const lookup = tool({
 *   name: "lookup_ticket",
 *   description: "Reads a ticket",
 *   input: z.object({ id: z.string().describe("Such as T-12") }),
 *   run: ({ id }, { signal }) => tickets.read(id, signal),
 * });
 * ```
 */
export function tool<I = unknown, O = unknown>(definition: ToolDefinition<I, O>): Tool<I, O> {
  checkShape(definition);
  const { name, input, namespace, deferLoading, output, run, examples = [], acceptsOverrides = true } = definition;
  const description = checkText(definition.description, `The description of tool "${name}"`);
  const { run: _, ...common } = checkedTool({
    name,
    description,
    input,
    namespace,
    deferLoading,
    run: () => undefined,
  });
  checkKind(common.input, ["object"], `The input of tool "${name}" must be an object`);
  if (output !== undefined)
    checkKind(output, ["object", "array"], `The output of tool "${name}" must be an object or an array of them`);
  return Object.freeze({
    ...common,
    output,
    examples: Object.freeze(examples.map((example) => checkExample(example, { ...common, output }))),
    acceptsOverrides,
    ...(run === null ? {} : { run: (input: I, context: ToolContext) => run(input, context) }),
  });
}

/** A list of tools for a prompt: those of `@quire/client` are taken as they are. */
export function toolsOf(tools: readonly (Tool | ClientTool)[] | undefined): readonly Tool[] {
  return Object.freeze((tools ?? []).map((each) => (isOwn(each) ? each : tool(each))));
}

/** True for a tool of this package, which needs no conversion. */
const isOwn = (tool: Tool | ClientTool): tool is Tool => Object.hasOwn(Object(tool), "acceptsOverrides");

function checkShape(definition: unknown): void {
  try {
    checkToolDefinition(definition, { ofPrompt: true });
  } catch (error) {
    throw new PromptValidationError((error as Error).message, { cause: error });
  }
}

function checkedTool<I>(definition: ClientToolDefinition<I>): ClientTool<I> {
  const { name } = definition;
  if (!/^[a-z0-9_-]{1,64}$/.test(name))
    throw new PromptValidationError(`The tool "${name}" must have 1 to 64 lower-case letters, digits, "_" or "-"`);
  try {
    return clientTool(definition);
  } catch (error) {
    throw new PromptValidationError((error as Error).message, { cause: error });
  }
}

/** Trims a text for the model, and refuses it where it is empty, longer than 200 characters, or not ASCII. */
export function checkText(text: string, what: string): string {
  const trimmed = text.trim();
  if (!/^[\x20-\x7e\n\t]{1,200}$/.test(trimmed))
    throw new PromptValidationError(
      `${what} must have 1 to 200 ASCII characters: shorten it, or write it in plain letters`,
    );
  return trimmed;
}

function checkKind(schema: SchemaInput, allowed: readonly string[], message: string): void {
  const kind = kindOf(schema);
  if (kind !== undefined && !allowed.includes(kind)) throw new PromptValidationError(message);
}

function checkExample<E extends ToolExample>(
  example: E,
  { name, input, output }: Pick<Tool, "name" | "input" | "output">,
): E {
  const description = checkText(example.description, `The description of an example of tool "${name}"`);
  checkFits(input, example.input, `The input of example "${description}" of tool "${name}"`);
  checkFits(output, example.output, `The output of example "${description}" of tool "${name}"`);
  return Object.freeze({ ...example, description });
}

function checkFits(schema: SchemaInput | undefined, value: unknown, what: string): void {
  const issues = schema === undefined ? [] : (checkNow(schema, value) ?? []);
  if (issues.length > 0) throw new PromptValidationError(`${what} does not fit: ${issues.join("; ")}`);
}
