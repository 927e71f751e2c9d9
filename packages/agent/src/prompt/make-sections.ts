import type { SectionContext, SectionOptions } from "./section.ts";
import { type AnySection, type AnySectionOptions, Section, type SectionText } from "./section.ts";

/** The parameters of several sections together. */
export type ParamsOf<S extends readonly AnySection[]> = S extends readonly [infer First, ...infer Rest]
  ? (First extends Section<infer P> ? P : unknown) & (Rest extends readonly AnySection[] ? ParamsOf<Rest> : unknown)
  : unknown;

/** A section's own parameters, optional where there are defaults. */
export type Bindable<I, D> = [D] extends [undefined] ? I : Partial<I>;

/** Options of {@link markdown}. */
export interface MarkdownOptions<I, O, C extends readonly AnySection[], D extends I | undefined>
  extends SectionOptions<I, O, C, D> {
  /** The text: `$name` and `${name}` stand for parameters, `$$` for a dollar sign. Indentation is taken off. */
  readonly template: string;
}

/** Makes a section of text with placeholders. */
export function markdown<
  I = unknown,
  O = I,
  const C extends readonly AnySection[] = readonly [],
  D extends I | undefined = undefined,
>(options: MarkdownOptions<I, O, C, D>): Section<Bindable<I, D> & ParamsOf<C>> {
  return new Section(options as unknown as AnySectionOptions, options.template);
}

/** Options of {@link section}. */
export interface ComputedOptions<I, O, C extends readonly AnySection[], D extends I | undefined>
  extends SectionOptions<I, O, C, D> {
  /** Gives the text. It is shown as it is: dollar signs mean nothing in it. */
  readonly render: (params: O, context: SectionContext) => string | Promise<string>;
}

/** Makes a section whose text is computed. Overrides cannot replace it. */
export function section<
  I = unknown,
  O = I,
  const C extends readonly AnySection[] = readonly [],
  D extends I | undefined = undefined,
>(options: ComputedOptions<I, O, C, D>): Section<Bindable<I, D> & ParamsOf<C>> {
  return new ComputedSection(options as unknown as ConstructorParameters<typeof ComputedSection>[0]);
}

class ComputedSection extends Section<never> {
  readonly #compute: (params: never, context: SectionContext) => string | Promise<string>;

  constructor(options: AnySectionOptions & Pick<ComputedOptions<never, never, [], undefined>, "render">) {
    super(options);
    this.#compute = options.render;
  }

  override render(params: unknown, context: SectionContext, _text: SectionText): string | Promise<string> {
    return this.#compute(params as never, context);
  }
}
