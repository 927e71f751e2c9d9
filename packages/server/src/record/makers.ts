import type { ResponseItem } from "@quire/protocol";

/** The providers that have made items of a thread, other than its first one. Items have no field for it. */
export class Makers {
  readonly #providers = new WeakMap<ResponseItem, string>();
  readonly #first: string;

  /** @param first The provider of the thread's first line. */
  constructor(first: string) {
    this.#first = first;
  }

  set(item: ResponseItem, provider: string): void {
    this.#providers.set(item, provider);
  }

  /** `undefined` for items of the first provider. */
  get(item: ResponseItem): string | undefined {
    return this.#providers.get(item);
  }

  /**
   * Items as another provider may see them: without what only the maker of an item can read, and without ids, which only
   * the maker can look up. The same list where the reader has made all of it.
   */
  readableBy(reader: string, items: readonly ResponseItem[]): readonly ResponseItem[] {
    const isForeign = (item: ResponseItem) => (this.get(item) ?? this.#first) !== reader;
    if (!items.some((item) => isForeign(item) && isPrivate(item))) return items;
    return items.flatMap((item) => (isForeign(item) && isPrivate(item) ? (publicPart(item) ?? []) : item));
  }
}

/** Items that are nothing but private, or an account of what only the maker's endpoint has done. */
const withheld: ReadonlySet<string> = new Set([
  "reasoning",
  "compaction",
  "context_compaction",
  "web_search_call",
  "image_generation_call",
]);

const privateFields = [
  "id",
  "encrypted_content",
  "encrypted_function_args",
  "internal_chat_message_metadata_passthrough",
];

function isPrivate(item: ResponseItem): boolean {
  return withheld.has(item.type) || item.type === "agent_message" || privateFields.some((field) => field in item);
}

function publicPart(item: ResponseItem): ResponseItem | undefined {
  if (withheld.has(item.type)) return undefined;
  const fields = Object.entries(item).filter(([field]) => !privateFields.includes(field));
  const kept = Object.fromEntries(fields) as unknown as ResponseItem;
  if (kept.type !== "agent_message") return kept;
  return { ...kept, content: kept.content.filter(({ type }) => type === "input_text") };
}
