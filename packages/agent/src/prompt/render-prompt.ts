import type { SchemaInput } from "@quire/client";
import { toJsonSchema } from "@quire/client/schemas";
import { PromptValidationError } from "../lib/prompt-errors.ts";
import type { Deadline } from "../limits/deadline.ts";
import { kindOfJson } from "../schema/schema-shape.ts";
import type { Session } from "../session/session.ts";
import type { ToolPolicy } from "../tool/policy/tool-policy.ts";
import type { BoundParams } from "./bound-params.ts";
import { disclosureTools } from "./disclosure.ts";
import { describePrompt } from "./overrides/descriptor.ts";
import type { ActiveOverride } from "./overrides/load-override.ts";
import type { OutputContainer, PromptParts } from "./prompt-parts.ts";
import type { RenderedPrompt } from "./rendered-prompt.ts";
import { SectionRenderer } from "./section-renderer.ts";

/** Options of {@link renderPrompt}. */
export interface RenderInputs {
  readonly session?: Session | undefined;
  readonly deadline?: Deadline | undefined;
  readonly bound: BoundParams;
  readonly override: ActiveOverride;
}

/** Renders a template with what was bound. */
export async function renderPrompt<O>(
  template: PromptParts<unknown, O>,
  { session, deadline, bound, override }: RenderInputs,
): Promise<RenderedPrompt<O>> {
  const renderer = new SectionRenderer(template, { session, bound, override });
  const { text, tools, skills, policies, inputs, summarized } = await renderer.render();
  const descriptor = await describePrompt(template);
  const container = template.container ?? (await containerLater(template.output));
  const byTool = new Map<string, readonly ToolPolicy[]>(policies);
  const paramDescriptions = Object.fromEntries(
    [...override.tools].flatMap(([name, { params }]) => (params === undefined ? [] : [[name, params]])),
  );
  return Object.freeze({
    text,
    tools: Object.freeze([...tools, ...disclosureTools(renderer, summarized)]),
    skills: Object.freeze(skills),
    output: template.output,
    container,
    allowExtraKeys: template.allowExtraKeys,
    descriptor,
    deadline,
    paramDescriptions,
    inputs: Object.freeze(inputs),
    policiesFor: (name: string) => byTool.get(name) ?? template.policies,
  });
}

/** For schemas whose libraries tell their kind later. */
async function containerLater(output: SchemaInput | undefined): Promise<OutputContainer | undefined> {
  if (output === undefined) return undefined;
  const kind = kindOfJson(await toJsonSchema(output));
  if (kind === "other")
    throw new PromptValidationError("The output must be an object or an array: put it into an object");
  return kind;
}
