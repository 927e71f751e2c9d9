import type { ResourceKey } from "./resource-binding.ts";
import { ResourceError } from "./resource-error.ts";

type Key = ResourceKey<unknown>;

/**
 * The resources that each resource waits for while it is being made. Two that wait for each other would wait forever,
 * also when different requests began to make them; so the one that closes the circle is refused.
 */
export class DependencyGraph {
  readonly #waits = new Map<Key, Set<Key>>();

  /** Throws a ResourceError with the way around, where waiting would never end. */
  begin(from: Key, to: Key): void {
    const way = this.#way(to, from, [to]);
    if (way !== undefined) {
      const names = [from, ...way].map(({ name }) => name);
      throw new ResourceError(`Resources depend on each other in a circle: ${names.join(" → ")}`);
    }
    const waits = this.#waits.get(from) ?? new Set();
    this.#waits.set(from, waits.add(to));
  }

  end(from: Key, to: Key): void {
    this.#waits.get(from)?.delete(to);
  }

  #way(at: Key, goal: Key, way: readonly Key[]): readonly Key[] | undefined {
    if (at === goal) return way;
    for (const next of this.#waits.get(at) ?? []) {
      const found = this.#way(next, goal, [...way, next]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
