import type { JsonSchema, StandardSchema } from "@quire/client";
import type { Skill } from "../beyond/skill.ts";
import type { Dispatcher } from "../session/dispatcher.ts";
import type { Session } from "../session/session.ts";
import type { Visibility } from "../session/visibility-overrides.ts";
import type { ToolPolicy } from "../tool/policy/tool-policy.ts";
import type { Tool } from "../tool/tool.ts";
import type { ResourceBinding } from "./resources/resource-binding.ts";
import type { AnySection } from "./section.ts";

/** What a section knows when it is rendered. */
export interface SectionContext {
  /** Undefined where the prompt is rendered outside of a session. */
  readonly session: Session | undefined;
}

/** What a section is cloned for. */
export interface CloneOptions {
  readonly session?: Session | undefined;
  readonly dispatcher?: Dispatcher | undefined;
}

/** A schema of parameters: what is bound is of type `I`, what is rendered of type `O`. */
export type ParamsSchema<I, O> = StandardSchema<I, O> | JsonSchema;

/** What every section may have. */
export interface SectionOptions<I, O, C extends readonly AnySection[], D extends I | undefined> {
  /** Names the section among its siblings. */
  readonly key: string;
  readonly title: string;
  /** What the section's text depends on: an object. Sections with the same schema share what is bound. */
  readonly params?: ParamsSchema<I, O> | undefined;
  /** Used where nothing is bound. */
  readonly defaults?: D;
  readonly children?: C;
  /** Whether the section and all in it is there. Default: it is. */
  readonly enabled?: ((params: O, context: SectionContext) => boolean | Promise<boolean>) | undefined;
  readonly tools?: readonly Tool[] | undefined;
  readonly skills?: readonly Skill[] | undefined;
  /** Rules for the tools of this section and those in it. */
  readonly policies?: readonly ToolPolicy[] | undefined;
  /** Whether overrides may change its text. Default true. */
  readonly acceptsOverrides?: boolean | undefined;
  /** What the model reads while it has not asked for the whole. A template, like the section's own. */
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
