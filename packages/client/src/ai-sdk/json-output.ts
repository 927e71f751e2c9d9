import type { LanguageModelV3CallOptions, SharedV3Warning } from "@ai-sdk/provider";
import type { JsonSchema } from "../schema/json-schema.ts";
import { isObject } from "../schema/json-value.ts";
import { SchemaError } from "../schema/schema-error.ts";
import { strictSchema } from "../schema/strict-schema.ts";

/** The way in which a call gets JSON from the model. */
export interface JsonOutput {
  /** For `turn/start`, where strict mode can express what was asked for. */
  readonly outputSchema?: JsonSchema | undefined;
  /** To be said in the prompt, where it cannot. */
  readonly instruction?: string | undefined;
  /** Makes of the model's text what was asked for. Undefined where the text is that already, and so can be streamed. */
  readonly reshape?: ((text: string) => string) | undefined;
}

/** Reads `responseFormat`; undefined means that text is wanted. */
export async function jsonOutput(
  format: LanguageModelV3CallOptions["responseFormat"],
  warn: (warning: SharedV3Warning) => void,
): Promise<JsonOutput | undefined> {
  if (format?.type !== "json") return undefined;
  if (format.schema === undefined) return { instruction: "Answer with JSON and nothing else.", reshape: unfence };
  const schema = format.schema as JsonSchema;
  try {
    const strict = await strictSchema(schema);
    const reshape = (text: string) => reencode(text, strict.decode);
    return { outputSchema: strict.schema, reshape: isStrictAlready(schema) ? undefined : reshape };
  } catch (error) {
    if (!SchemaError.is(error)) throw error;
    warn({ type: "compatibility", feature: "responseFormat", details: `described in the prompt: ${error.message}` });
    const instruction = `Answer with JSON that fits this schema, and nothing else:\n${JSON.stringify(schema)}`;
    return { instruction, reshape: unfence };
  }
}

/** Tells whether values under the strict form are values under the schema itself: nothing is optional, and the root is an object. */
function isStrictAlready(schema: JsonSchema): boolean {
  const isPlainRoot = schema.type === "object" && schema.anyOf === undefined && schema.oneOf === undefined;
  return isPlainRoot && hasNoOptional(schema);
}

function hasNoOptional(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(hasNoOptional);
  if (!isObject(value)) return true;
  const { properties, required } = value;
  if (isObject(properties)) {
    const names = new Set(Array.isArray(required) ? required : []);
    if (!Object.keys(properties).every((name) => names.has(name))) return false;
  }
  return Object.values(value).every(hasNoOptional);
}

/** Text that is no JSON is left as it is: the AI SDK says what is wrong with it. */
function reencode(text: string, decode: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(decode(JSON.parse(unfence(text))));
  } catch {
    return text;
  }
}

const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/;

function unfence(text: string): string {
  return fenced.exec(text)?.[1] ?? text;
}
