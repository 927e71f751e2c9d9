import type { Tool as ClientTool, JsonSchema, SchemaInput } from "@quire/client";
import type { StandardSchema } from "@quire/client/schemas";
import { PromptValidationError } from "../lib/prompt-errors.ts";
import type { ResourceBinding } from "../resources/resource-binding.ts";
import type { Dispatcher } from "../session/dispatcher.ts";
import type { Session } from "../session/session.ts";
import type { Visibility } from "../session/visibility-overrides.ts";
import type { ToolPolicy } from "../tool/policy/tool-policy.ts";
import { type Tool, toolsOf } from "../tool/tool.ts";
import { normalizeSectionKey } from "./names.ts";
import type { Skill } from "./skill.ts";
import { dedent, substitute } from "./template-text.ts";

/** The context of a section's rendering. */
export interface SectionContext {
  /** Undefined where the prompt is rendered outside of a session. */
  readonly session: Session | undefined;
}

/** Options of a clone. */
export interface CloneOptions {
  readonly session?: Session | undefined;
  readonly dispatcher?: Dispatcher | undefined;
}

/** A schema of parameters: what is bound is of type `I`, what is rendered of type `O`. */
export type ParamsSchema<I, O> = StandardSchema<I, O> | JsonSchema;

/** Options of every section. */
export interface SectionOptions<I, O, C extends readonly AnySection[], D extends I | undefined> {
  /** Names the section among its siblings. */
  readonly key: string;
  readonly title: string;
  /** The parameters of the section's text: an object. Sections with the same schema share bound values. */
  readonly params?: ParamsSchema<I, O> | undefined;
  /** Used where nothing is bound. */
  readonly defaults?: D;
  readonly children?: C;
  /** Includes the section and all in it. Default: always. */
  readonly enabled?: ((params: O, context: SectionContext) => boolean | Promise<boolean>) | undefined;
  readonly tools?: readonly (Tool | ClientTool)[] | undefined;
  readonly skills?: readonly Skill[] | undefined;
  /** Rules for the tools of this section and those in it. */
  readonly policies?: readonly ToolPolicy[] | undefined;
  /** Lets overrides change its text. Default true. */
  readonly acceptsOverrides?: boolean | undefined;
  /** The text until the model asks for the whole. A template, like the section's own. */
  readonly summary?: string | undefined;
  /** Default `full`. */
  readonly visibility?:
    | Visibility
    | ((params: O, context: SectionContext) => Visibility | Promise<Visibility>)
    | undefined;
  readonly resources?: readonly ResourceBinding[] | undefined;
  /** Called when the prompt is done with. It may be called again. */
  readonly cleanup?: (() => void | Promise<void>) | undefined;
}

/** A section of whatever parameters. */
export type AnySection = Section<unknown>;

/** The options of a section, whatever its parameters. */
export type AnySectionOptions = SectionOptions<never, never, readonly AnySection[], undefined> & {
  readonly defaults?: unknown;
};

/** The replacement of a section's template. */
export interface SectionText {
  readonly template: string | undefined;
}

/**
 * A part of a prompt. `markdown()` and `section()` make them; extend this class for more.
 *
 * `P` is what has to be bound for it and for the sections in it; it exists in types only.
 */
export class Section<P = unknown> {
  readonly key: string;
  readonly title: string;
  readonly params: SchemaInput | undefined;
  readonly defaults: unknown;
  readonly children: readonly AnySection[];
  readonly tools: readonly Tool[];
  readonly skills: readonly Skill[];
  readonly policies: readonly ToolPolicy[];
  readonly acceptsOverrides: boolean;
  /** Without indentation. */
  readonly summary: string | undefined;
  /** The text with its placeholders, where the section has one; overrides replace it. */
  readonly template: string | undefined;
  /** Exists in types only. */
  declare readonly "~params"?: P;
  readonly #options: AnySectionOptions;

  constructor(options: AnySectionOptions, template?: string | undefined) {
    this.#options = options;
    this.key = normalizeSectionKey(options.key);
    this.title = options.title.trim();
    this.params = options.params;
    this.defaults = options.defaults;
    this.children = Object.freeze([...(options.children ?? [])]);
    this.tools = toolsOf(options.tools);
    this.skills = Object.freeze([...(options.skills ?? [])]);
    this.policies = Object.freeze([...(options.policies ?? [])]);
    this.acceptsOverrides = options.acceptsOverrides ?? true;
    this.summary = options.summary === undefined ? undefined : dedent(options.summary);
    this.template = template === undefined ? undefined : dedent(template);
    if (this.title === "")
      throw new PromptValidationError(`The section "${this.key}" needs a title`, { path: this.key });
    if (options.visibility === "summary" && !this.summary)
      throw new PromptValidationError(`The section "${this.key}" is shown as a summary, but has none`, {
        path: this.key,
      });
  }

  /** Tells whether the section is there. */
  async isEnabled(params: unknown, context: SectionContext): Promise<boolean> {
    return (await this.#options.enabled?.(params as never, context)) ?? true;
  }

  /** The visibility, unless the session overrides it. */
  async visibility(params: unknown, context: SectionContext): Promise<Visibility> {
    const { visibility = "full" } = this.#options;
    return typeof visibility === "function" ? visibility(params as never, context) : visibility;
  }

  /** The text below the heading. `text` holds the template, or what an override has put in its place. */
  render(params: unknown, _context: SectionContext, text: SectionText): string | Promise<string> {
    return text.template === undefined ? "" : substitute(text.template, (name) => fieldOf(params, name));
  }

  /** The text in place of the whole section. */
  renderSummary(params: unknown): string {
    return substitute(this.summary ?? "", (name) => fieldOf(params, name));
  }

  /** The resources that come with the section. */
  resources(): readonly ResourceBinding[] {
    return this.#options.resources ?? [];
  }

  /** Frees what the section holds. It may be called again. */
  async cleanup(): Promise<void> {
    await this.#options.cleanup?.();
  }

  /** The section for another session. Those that belong to no session, as most do, are the same everywhere. */
  clone(_options: CloneOptions): AnySection {
    return this;
  }
}

function fieldOf(params: unknown, name: string): unknown {
  if (typeof params !== "object" || params === null || !Object.hasOwn(params, name)) return undefined;
  return (params as Record<string, unknown>)[name];
}
