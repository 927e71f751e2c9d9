import type { ItemState } from "./snapshot.ts";

/**
 * A version of the table of items: a new object, so that comparison by identity sees the change, over one table that is
 * never copied. A frame costs what changed in it, not what the thread holds.
 */
export class ItemTable implements ReadonlyMap<string, ItemState> {
  readonly #table: ReadonlyMap<string, ItemState>;

  constructor(table: ReadonlyMap<string, ItemState>) {
    this.#table = table;
  }

  get size(): number {
    return this.#table.size;
  }

  get(key: string): ItemState | undefined {
    return this.#table.get(key);
  }

  has(key: string): boolean {
    return this.#table.has(key);
  }

  forEach(visit: (value: ItemState, key: string, map: ReadonlyMap<string, ItemState>) => void): void {
    for (const [key, value] of this.#table) visit(value, key, this);
  }

  entries(): MapIterator<[string, ItemState]> {
    return this.#table.entries();
  }

  keys(): MapIterator<string> {
    return this.#table.keys();
  }

  values(): MapIterator<ItemState> {
    return this.#table.values();
  }

  [Symbol.iterator](): MapIterator<[string, ItemState]> {
    return this.#table[Symbol.iterator]();
  }
}
