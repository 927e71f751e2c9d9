import type { CallOptions } from "../port/server-port.ts";
import type { Page } from "./cursor-methods.ts";

/** Limits of a list. */
export interface PageOptions extends CallOptions {
  /** At most this many items. */
  readonly limit?: number | undefined;
  /**
   * At most this many bytes of items, counted as the length of their JSON; the first item comes in any case. Memory
   * holds one page at a time.
   */
  readonly maxBytes?: number | undefined;
  /** Items asked for at a time. Default: the server's choice. */
  readonly pageSize?: number | undefined;
}

/**
 * A list that the server gives in pages. Iterating goes through all items and fetches pages as they are needed;
 * awaiting gives the first page only. Every iteration begins anew. (A function that is `async` and returns one gives
 * its first page, as with any awaitable.)
 */
export class Paged<Item, P extends Page<Item> = Page<Item>> implements AsyncIterable<Item>, PromiseLike<P> {
  readonly #pages: () => AsyncGenerator<P, undefined>;
  readonly #options: PageOptions;

  /** @internal Use {@link paginate} or {@link pages}. */
  constructor(pages: () => AsyncGenerator<P, undefined>, options: PageOptions) {
    this.#pages = pages;
    this.#options = options;
  }

  /** The items, up to `limit` and `maxBytes`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, undefined> {
    const { limit, maxBytes } = this.#options;
    let count = 0;
    let bytes = 0;
    if (limit === 0) return undefined;
    for await (const page of this.#pages()) {
      for (const item of page.data) {
        if (maxBytes !== undefined) {
          bytes += JSON.stringify(item).length;
          if (count > 0 && bytes > maxBytes) return undefined;
        }
        yield item;
        count += 1;
        if (count === limit) return undefined;
      }
    }
    return undefined;
  }

  /** The pages as the server gave them, with their cursors. `limit` and `maxBytes` do not apply. */
  pages(): AsyncGenerator<P, undefined> {
    return this.#pages();
  }

  /** All items, up to `limit` and `maxBytes`. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting gives the first page, by design.
  then<A = P, B = never>(
    onFulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#first().then(onFulfilled, onRejected);
  }

  async #first(): Promise<P> {
    const { value } = await this.#pages().next();
    // A source of pages gives one at least, or throws.
    return value as P;
  }
}
