import type { JsonSchema, SchemaInput } from "@quire/client";
import { toJsonSchema, validate } from "@quire/client/schemas";
import { PromptValidationError } from "../lib/prompt-errors.ts";
import { closeSchema } from "../schema/close-schema.ts";
import { fingerprint } from "../schema/hash.ts";
import { kindOfJson } from "../schema/schema-shape.ts";
import type { Tool } from "./tool.ts";

/** A tool as the model sees it. */
export interface ToolContract {
  /** The JSON Schema of its input, in which objects are closed. */
  readonly inputSchema: JsonSchema;
  /** Changes with the description, the input and the output: overrides were written for one such contract. */
  readonly hash: string;
}

/** A pure cache: tools do not change. */
const contracts = new WeakMap<Tool, Promise<ToolContract>>();

/** The contract of a tool, worked out once. Rejects where a schema has no JSON form, or examples do not fit. */
export function toolContract(tool: Tool): Promise<ToolContract> {
  const known = contracts.get(tool);
  if (known !== undefined) return known;
  const contract = workOut(tool);
  contracts.set(tool, contract);
  return contract;
}

async function workOut(tool: Tool): Promise<ToolContract> {
  const { name, description, input, output } = tool;
  const inputSchema = closeSchema(await toJsonSchema(input));
  if (kindOfJson(inputSchema) !== "object")
    throw new PromptValidationError(`The input of tool "${name}" must be an object`);
  await checkExamples(tool);
  const outputSchema = output === undefined ? null : await toJsonSchema(output).catch(() => null);
  return { inputSchema, hash: await fingerprint({ description, inputSchema, output: outputSchema }) };
}

/** Those whose schemas answered at once were checked when the tool was made; it does no harm to ask again. */
async function checkExamples(tool: Tool): Promise<void> {
  const check = async (schema: SchemaInput | undefined, value: unknown, what: string) => {
    const verdict = schema === undefined ? undefined : await validate(schema, value);
    if (verdict?.ok !== false) return;
    const issues = verdict.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
    throw new PromptValidationError(`The ${what} of tool "${tool.name}" does not fit: ${issues.join("; ")}`);
  };
  for (const { description, input, output } of tool.examples) {
    await check(tool.input, input, `input of example "${description}"`);
    await check(tool.output, output, `output of example "${description}"`);
  }
}
