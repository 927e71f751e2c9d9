import type { SchemaInput } from "@quire/client";
import { validate } from "@quire/client/schemas";
import { frozenCopy } from "../lib/frozen-copy.ts";
import { PromptRenderError } from "../lib/prompt-errors.ts";
import { type BoundParams, describe } from "./bound-params.ts";
import type { SectionNode } from "./section-tree.ts";

/**
 * The parameters of a section: what is bound to its schema, else its own defaults, else the first defaults of any section
 * with the same schema, else what the schema makes of nothing.
 */
export async function resolveParams(
  { section, path }: SectionNode,
  all: readonly SectionNode[],
  bound: BoundParams,
): Promise<unknown> {
  const schema = section.params;
  if (schema === undefined) return {};
  const others = all.filter((node) => node.section.params === schema && node.section.defaults !== undefined);
  const candidates = [
    ...(bound.values.has(schema) ? [bound.values.get(schema)] : []),
    ...(section.defaults === undefined ? [] : [section.defaults]),
    ...others.map((node) => node.section.defaults),
  ];
  const isGiven = candidates.length > 0;
  // Checked with every rendering, so that a section can spoil neither the defaults nor what the next section gets.
  const verdict = await validate(schema, isGiven ? frozenCopy(candidates[0]) : {});
  if (verdict.ok) return verdict.value;
  throw new PromptRenderError(problem(schema, path, isGiven ? verdict.issues : undefined), { path });
}

type Issues = readonly { readonly path: string; readonly message: string }[];

function problem(schema: SchemaInput, path: string, issues: Issues | undefined): string {
  const what = `parameters {${describe(schema)}} of section "${path}"`;
  if (issues === undefined) return `The ${what} are not bound: call bind({ … })`;
  const lines = issues.map((issue) => (issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`));
  return `What is bound does not fit the ${what}: ${lines.join("; ")}`;
}
