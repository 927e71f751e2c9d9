import { type JsonSchema, type SchemaInput, toJsonSchema, validate } from "@quire/client";
import { PromptValidationError } from "../lib/prompt-errors.ts";
import { closeSchema } from "../schema/close-schema.ts";
import { fingerprint } from "../schema/hash.ts";
import { kindOfJson } from "../schema/schema-shape.ts";
import type { Tool } from "./tool.ts";

/** What a tool promises the model. */
export interface ToolContract {
  /** The JSON Schema of its parameters, in which objects are closed. */
  readonly inputSchema: JsonSchema;
  /** Changes with the description, the parameters and the result: overrides were written for one such contract. */
  readonly hash: string;
}

const contracts = new WeakMap<Tool, Promise<ToolContract>>();

/** The contract of a tool, worked out once. Rejects where a schema has no JSON form, or examples do not fit. */
export function toolContract(tool: Tool): Promise<ToolContract> {
  const known = contracts.get(tool);
  if (known !== undefined) return known;
  const contract = workOut(tool);
  contracts.set(tool, contract);
  return contract;
}

const noParams: JsonSchema = Object.freeze({ type: "object", properties: {}, additionalProperties: false });

async function workOut(tool: Tool): Promise<ToolContract> {
  const { name, description, params, result } = tool;
  const inputSchema = params === undefined ? noParams : closeSchema(await toJsonSchema(params));
  if (kindOfJson(inputSchema) !== "object")
    throw new PromptValidationError(`The params of tool "${name}" must be an object`);
  await checkExamples(tool);
  const output = result === undefined ? null : await toJsonSchema(result).catch(() => null);
  return { inputSchema, hash: await fingerprint({ description, inputSchema, output }) };
}

/** Those whose schemas answered at once were checked when the tool was made; it does no harm to ask again. */
async function checkExamples({ name, params, result, examples }: Tool): Promise<void> {
  const check = async (schema: SchemaInput | undefined, value: unknown, what: string) => {
    const verdict = schema === undefined ? undefined : await validate(schema, value);
    if (verdict?.ok !== false) return;
    const issues = verdict.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
    throw new PromptValidationError(`The ${what} of tool "${name}" does not fit: ${issues.join("; ")}`);
  };
  for (const { description, input, output } of examples) {
    await check(params, input, `input of example "${description}"`);
    await check(result, output, `output of example "${description}"`);
  }
}
