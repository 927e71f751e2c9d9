import type { PromptDescriptor } from "./descriptor.ts";
import type { PromptOverride } from "./prompt-override.ts";

/** Stores overrides. */
export interface OverrideStore {
  /** The override of a prompt with this tag, if there is one. The caller leaves out its stale parts. */
  load(descriptor: PromptDescriptor, tag: string): PromptOverride | undefined | Promise<PromptOverride | undefined>;
}

/** Keeps overrides in memory. */
export class MemoryOverrides implements OverrideStore {
  readonly #overrides = new Map<string, PromptOverride>();

  /** Keeps an override, in place of one of the same prompt and tag. */
  save(override: PromptOverride): void {
    this.#overrides.set(keyOf(override, override.tag), override);
  }

  load(descriptor: PromptDescriptor, tag: string): PromptOverride | undefined {
    return this.#overrides.get(keyOf(descriptor, tag));
  }
}

const keyOf = ({ ns, key }: { readonly ns: string; readonly key: string }, tag: string): string =>
  JSON.stringify([ns, key, tag]);
