import type { Logger } from "../lib/logger.ts";
import { PromptRenderError } from "../lib/prompt-errors.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { ResourceBinding } from "../resources/resource-binding.ts";
import { ResourceContext } from "../resources/resource-context.ts";
import type { Session } from "../session/session.ts";
import { BoundParams, type ParamsBinding } from "./bound-params.ts";
import { loadOverride, noOverride } from "./overrides/load-override.ts";
import type { OverrideStore } from "./overrides/override-store.ts";
import type { PromptParts } from "./prompt-parts.ts";
import { renderPrompt } from "./render-prompt.ts";
import type { RenderedPrompt } from "./rendered-prompt.ts";

/** A binding of a prompt: an object with the parameters of its sections, or a value for one schema. */
export type Binding<P> = P | ParamsBinding;

/** Options of a {@link Prompt}. */
export interface PromptOptions {
  /** The store of other texts for the prompt. */
  readonly overrides?: OverrideStore | undefined;
  /** The tag of the override to use. Default `latest`. */
  readonly tag?: string | undefined;
  /** Resources in place of, or besides, those of the template. */
  readonly resources?: readonly ResourceBinding[] | undefined;
  readonly logger?: Logger | undefined;
}

/** Options of rendering a prompt. */
export interface RenderOptions {
  readonly session?: Session | undefined;
  readonly deadline?: Deadline | undefined;
}

/** A prompt to which parameters and resources are bound. */
export class Prompt<P = unknown, O = unknown> {
  readonly template: PromptParts<P, O>;
  /** Live between `enter()` and the end of its last lease. */
  readonly resources: ResourceContext;
  /** The tag of the overrides in use. */
  readonly tag: string;
  readonly #overrides: OverrideStore | undefined;
  readonly #bound: BoundParams;
  readonly #resources: ResourceBinding[];

  constructor(template: PromptParts<P, O>, options: PromptOptions = {}) {
    const { overrides, tag = "latest", resources = [], logger } = options;
    this.template = template;
    this.tag = tag;
    this.#overrides = overrides;
    this.#resources = [...resources];
    const all = template.allSections();
    this.#bound = new BoundParams(all.map(({ section }) => section.params).filter((schema) => schema !== undefined));
    this.resources = new ResourceContext(
      () => [...template.resources, ...all.flatMap(({ section }) => section.resources()), ...this.#resources],
      logger,
    );
  }

  get ns(): string {
    return this.template.ns;
  }

  get key(): string {
    return this.template.key;
  }

  get name(): string | null {
    return this.template.name;
  }

  /** Its name in events and errors. */
  get eventName(): string {
    return this.template.eventName;
  }

  /**
   * Binds parameters, and returns the same prompt. A schema has one value: what was bound to it before is replaced. What
   * does not fit is reported when the prompt is rendered.
   */
  bind(...values: readonly Binding<P>[]): this {
    this.#bound.bind(values);
    return this;
  }

  /** Binds resources, which replace those of the template and its sections. */
  bindResources(...bindings: readonly ResourceBinding[]): this {
    this.#resources.push(...bindings);
    return this;
  }

  /** Makes the text and all that goes with it. Rejects with a PromptRenderError where something is missing. */
  async render(options: RenderOptions = {}): Promise<RenderedPrompt<O>> {
    const { problems } = this.#bound;
    if (problems.length > 0)
      throw new PromptRenderError(`The prompt "${this.eventName}" cannot be rendered: ${problems.join("; ")}`);
    const override = this.#overrides ? await loadOverride(this.#overrides, this.template, this.tag) : noOverride;
    return renderPrompt(this.template, { ...options, bound: this.#bound, override });
  }

  /** Frees what the sections hold. It may be called again. */
  async cleanup(): Promise<void> {
    for (const { section } of this.template.allSections()) await section.cleanup();
  }
}
