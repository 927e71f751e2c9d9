import { failureMessage } from "@quire/client/link";
import { PromptRenderError, PromptValidationError } from "../lib/prompt-errors.ts";
import type { Session } from "../session/session.ts";
import { type Visibility, VisibilityOverrides } from "../session/visibility-overrides.ts";
import type { ToolPolicy } from "../tool/policy/tool-policy.ts";
import { renderExamples } from "../tool/render-examples.ts";
import type { Tool } from "../tool/tool.ts";
import type { BoundParams } from "./bound-params.ts";
import { disclosureHint } from "./disclosure-hint.ts";
import { type ActiveOverride, overrideTool } from "./overrides/load-override.ts";
import type { PromptParts } from "./prompt-parts.ts";
import { resolveParams } from "./resolve-params.ts";
import type { SectionNode } from "./section-tree.ts";
import type { Skill } from "./skill.ts";
import { renderTaskExamples } from "./task-examples.ts";

/** The collected parts of a rendering. */
export interface RenderedSections {
  readonly text: string;
  readonly tools: Tool[];
  readonly skills: Skill[];
  /** By the name of the tool. */
  readonly policies: [string, readonly ToolPolicy[]][];
  readonly inputs: { readonly path: string; readonly params: unknown }[];
  /** The sections of which the model sees the summary. */
  readonly summarized: SectionNode[];
}

type Collected = Omit<RenderedSections, "text">;

/** Options of a {@link SectionRenderer}. */
export interface RendererOptions {
  readonly session: Session | undefined;
  readonly bound: BoundParams;
  readonly override: ActiveOverride;
}

/** Renders the sections of a template, depth first, in the order in which they were written. */
export class SectionRenderer {
  readonly template: PromptParts;
  readonly #options: RendererOptions;

  constructor(template: PromptParts, options: RendererOptions) {
    this.template = template;
    this.#options = options;
  }

  /** Renders everything, and collects what goes with the text. */
  async render(): Promise<RenderedSections> {
    const { override } = this.#options;
    const into: Collected = { tools: [], skills: [], policies: [], inputs: [], summarized: [] };
    for (const tool of this.template.tools) {
      into.tools.push(overrideTool(tool, override.tools.get(tool.name)));
      into.policies.push([tool.name, this.template.policies]);
    }
    const examples = into.tools.map((tool) => renderExamples(tool.name, tool.examples));
    const texts: string[] = [];
    for (const node of this.template.nodes) texts.push(await this.#node(node, into, []));
    return { text: joined([...texts, ...examples]), ...into };
  }

  /** The whole text of one section, with the sections in it as they are shown now. */
  read(node: SectionNode): Promise<string> {
    const into: Collected = { tools: [], skills: [], policies: [], inputs: [], summarized: [] };
    return this.#node(node, into, [], "full");
  }

  async #node(node: SectionNode, into: Collected, above: readonly ToolPolicy[], forced?: Visibility): Promise<string> {
    const { section, path } = node;
    const params = await resolveParams(node, this.template.allSections(), this.#options.bound);
    const context = { session: this.#options.session };
    if (!(await attempt(path, "be enabled", () => section.isEnabled(params, context)))) return "";
    into.inputs.push({ path, params });
    const visibility = forced ?? (await this.#visibility(node, params));
    if (visibility === "summary") return this.#summary(node, params, into);
    const policies = [...section.policies, ...above];
    const tools = section.tools.map((tool) => overrideTool(tool, this.#options.override.tools.get(tool.name)));
    into.tools.push(...tools);
    into.skills.push(...section.skills);
    for (const { name } of tools) into.policies.push([name, [...policies, ...this.template.policies]]);
    const body = await attempt(path, "be rendered", () => this.#body(node, params));
    const examples = tools.map((tool) => renderExamples(tool.name, tool.examples));
    const children: string[] = [];
    for (const child of node.children) children.push(await this.#node(child, into, policies));
    const content = joined([body.trim(), ...examples, ...children]);
    return content === "" ? "" : joined([heading(node), content]);
  }

  async #body({ section, path }: SectionNode, params: unknown): Promise<string> {
    const { override, session } = this.#options;
    const examples = override.taskExamples.get(path);
    if (examples !== undefined) return renderTaskExamples(examples.examples);
    return section.render(params, { session }, { template: override.sections.get(path) ?? section.template });
  }

  async #visibility({ section, path }: SectionNode, params: unknown): Promise<Visibility> {
    const { session } = this.#options;
    const overrides = session?.slice(VisibilityOverrides).latest()?.overrides ?? {};
    if (Object.hasOwn(overrides, path)) return overrides[path] ?? "full";
    return attempt(path, "tell how much of it is shown", () => section.visibility(params, { session }));
  }

  #summary(node: SectionNode, params: unknown, into: Collected): string {
    const { section, path } = node;
    if (!section.summary)
      throw new PromptValidationError(`The section "${path}" is shown as a summary, but has none`, { path });
    into.summarized.push(node);
    return joined([heading(node), section.renderSummary(params), disclosureHint(node)]);
  }
}

const heading = ({ depth, number, path, section }: SectionNode): string =>
  `${"#".repeat(depth + 2)} ${number}. ${section.title} (${path})`;

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");

/** Says of which section a failure is. */
async function attempt<T>(path: string, what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof PromptRenderError || cause instanceof PromptValidationError) throw cause;
    const message = failureMessage(cause);
    throw new PromptRenderError(`The section "${path}" could not ${what}: ${message}`, { path, cause });
  }
}
