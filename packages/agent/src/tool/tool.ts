import type { SchemaInput } from "@quire/client";
import type { ToolResult } from "../events/tool-result.ts";
import { PromptValidationError } from "../lib/prompt-errors.ts";
import { checkNow, kindOf } from "../schema/schema-shape.ts";
import type { ToolContext } from "./tool-context.ts";

/** Shows the model how a tool is used. */
export interface ToolExample<P = unknown, R = unknown> {
  /** 1 to 200 ASCII characters. */
  readonly description: string;
  readonly input: P;
  readonly output: R;
}

/** Answers a call. What it throws is told to the model; the session is rolled back then. Keep it short. */
export type ToolHandler<P, R> = (params: P, context: ToolContext) => ToolResult<R> | Promise<ToolResult<R>>;

/** A tool as one writes it down. */
export interface ToolDefinition<P, R> {
  /** 1 to 64 lower-case letters, digits, `_` and `-`. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it: 1 to 200 ASCII characters. */
  readonly description: string;
  /** The parameters: an object. Default: none. */
  readonly params?: SchemaInput<P> | undefined;
  /** The value of a result: an object or an array. For types, examples and overrides; results are not checked. */
  readonly result?: SchemaInput<R> | undefined;
  /** Null for a tool that is only written about: the model cannot call it. */
  readonly handler: ToolHandler<P, R> | null;
  readonly examples?: readonly ToolExample<NoInfer<P>, NoInfer<R>>[] | undefined;
  /** Whether overrides may change its texts. Default true. */
  readonly acceptsOverrides?: boolean | undefined;
}

/** A tool that a model can call. */
export interface Tool<P = unknown, R = unknown> {
  readonly name: string;
  readonly description: string;
  readonly params: SchemaInput<P> | undefined;
  readonly result: SchemaInput<R> | undefined;
  readonly examples: readonly ToolExample<P, R>[];
  readonly acceptsOverrides: boolean;
  /** Undefined for a tool that is only written about. */
  handler?(params: P, context: ToolContext): ToolResult<R> | Promise<ToolResult<R>>;
}

/**
 * Makes a tool, with its handler typed by its schemas:
 *
 * ```ts
 * const lookup = tool({
 *   name: "lookup_ticket",
 *   description: "Reads a ticket",
 *   params: z.object({ id: z.string().describe("Such as T-12") }),
 *   handler: async ({ id }, { signal }) => ToolResult.ok(await tickets.read(id, signal)),
 * });
 * ```
 */
export function tool<P = unknown, R = unknown>(definition: ToolDefinition<P, R>): Tool<P, R> {
  const { name, params, result, handler, examples = [], acceptsOverrides = true } = definition;
  checkName(name);
  const description = checkText(definition.description, `The description of tool "${name}"`);
  if (params !== undefined) checkKind(params, ["object"], `The params of tool "${name}" must be an object`);
  if (result !== undefined)
    checkKind(result, ["object", "array"], `The result of tool "${name}" must be an object or an array of them`);
  const made: Tool<P, R> = {
    name,
    description,
    params,
    result,
    examples: Object.freeze(examples.map((example) => checkExample(example, definition))),
    acceptsOverrides,
    ...(handler === null ? {} : { handler: (input: P, context: ToolContext) => handler(input, context) }),
  };
  return Object.freeze(made);
}

function checkName(name: string): void {
  if (!/^[a-z0-9_-]{1,64}$/.test(name))
    throw new PromptValidationError(`The tool "${name}" must have 1 to 64 lower-case letters, digits, "_" or "-"`);
  if (name === "mcp" || name.startsWith("mcp__"))
    throw new PromptValidationError(`The tool "${name}" is reserved: "mcp" and "mcp__…" stand for MCP servers`);
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

type AnyDefinition = Pick<ToolDefinition<unknown, unknown>, "name" | "params" | "result">;

function checkExample<E extends ToolExample>(example: E, { name, params, result }: AnyDefinition): E {
  const description = checkText(example.description, `The description of an example of tool "${name}"`);
  checkFits(params, example.input, `The input of example "${description}" of tool "${name}"`);
  checkFits(result, example.output, `The output of example "${description}" of tool "${name}"`);
  return Object.freeze({ ...example, description });
}

function checkFits(schema: SchemaInput | undefined, value: unknown, what: string): void {
  const issues = schema === undefined ? [] : (checkNow(schema, value) ?? []);
  if (issues.length > 0) throw new PromptValidationError(`${what} does not fit: ${issues.join("; ")}`);
}
