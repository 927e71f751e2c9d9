import { jsonSchema } from "../schema/json-schema.ts";
import type { SchemaInput } from "../schema/schema-input.ts";
import { checkToolDefinition } from "./check-definition.ts";
import { checkToolNames } from "./tool-names.ts";
import type { ToolOutput } from "./tool-output.ts";

/** The call that a tool answers. */
export interface ToolContext {
  /** Aborted when the turn has ended: nobody waits for the result any more. */
  readonly signal: AbortSignal;
  readonly callId: string;
  readonly threadId: string;
  readonly turnId: string;
}

/** A group of tools, of which the model sees a description before it sees the tools. */
export interface ToolNamespace {
  readonly name: string;
  readonly description: string;
}

/** Options of {@link tool}. */
export interface ToolDefinition<Input = unknown> {
  /** At most 128 letters, digits, `_` and `-`. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  /** The arguments: an object. Default: none. */
  readonly input?: SchemaInput<Input> | undefined;
  /** Does the work, with validated input. The model reads the message of an error that it throws. */
  run(input: Input, context: ToolContext): ToolOutput | Promise<ToolOutput>;
  /** The group that it belongs to. Before Codex 0.141 groups have no effect. */
  readonly namespace?: string | ToolNamespace | undefined;
  /** Keeps the tool from the model until it looks for it. Needs a namespace. */
  readonly deferLoading?: boolean | undefined;
}

/** A tool that the model can call and this program runs. */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  readonly input: SchemaInput<Input>;
  readonly namespace: ToolNamespace | undefined;
  readonly deferLoading: boolean;
  run(input: Input, context: ToolContext): ToolOutput | Promise<ToolOutput>;
}

const noInput = jsonSchema<never>({ type: "object", properties: {}, additionalProperties: false });

/**
 * Makes a tool, with its input typed by its schema:
 *
 * ```ts
 * const weather = tool({
 *   name: "weather",
 *   description: "The weather in a city",
 *   input: z.object({ city: z.string() }),
 *   run: async ({ city }, { signal }) => forecast(city, signal),
 * });
 * ```
 *
 * Throws where Codex would refuse the name, and where something is missing or misnamed.
 */
export function tool<Input = unknown>(definition: ToolDefinition<Input>): Tool<Input> {
  checkToolDefinition(definition);
  const { name, description, input = noInput, namespace, deferLoading = false } = definition;
  const group = typeof namespace === "string" ? { name: namespace, description: "" } : namespace;
  checkToolNames({ name, namespace: group, deferLoading });
  return {
    name,
    description,
    input,
    namespace: group,
    deferLoading,
    run: (value, context) => definition.run(value, context),
  };
}
