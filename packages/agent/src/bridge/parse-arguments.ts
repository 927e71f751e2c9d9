import { jsonSchema } from "@quire/client";
import { type SchemaIssue, validate } from "@quire/client/schemas";
import { isPlainObject } from "../lib/frozen-copy.ts";
import type { Tool } from "../tool/tool.ts";
import { toolContract } from "../tool/tool-contract.ts";

/** The verdict on the arguments of a call. */
export type ParsedArguments =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly message: string };

/**
 * Reads the arguments of a call: an object, or JSON text of one. They must fit the advertised schema to the letter, unknown
 * keys included; then the tool's own schema makes its input of them.
 */
export async function parseArguments(tool: Tool, given: unknown): Promise<ParsedArguments> {
  const args = typeof given === "string" ? readJson(given) : (given ?? {});
  if (!isPlainObject(args)) return refuse(tool, [{ path: "", message: "the arguments must be a JSON object" }]);
  const { inputSchema } = await toolContract(tool);
  const advertised = await validate(jsonSchema(inputSchema), args);
  if (!advertised.ok) return refuse(tool, advertised.issues);
  const verdict = await validate(tool.input, args);
  return verdict.ok ? { ok: true, input: verdict.value } : refuse(tool, verdict.issues);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse({ name }: Tool, issues: readonly SchemaIssue[]): ParsedArguments {
  const lines = issues.map(({ path, message }) => (path === "" ? `- ${message}` : `- ${path}: ${message}`));
  return { ok: false, message: `Tool validation error: invalid arguments for "${name}":\n${lines.join("\n")}` };
}
