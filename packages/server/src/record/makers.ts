import type { ResponseItem } from "@quire/protocol";

/** A pure cache of lines: the providers that have made items, if not their thread's first. An item has no such field. */
const makers = new WeakMap<ResponseItem, string>();

/** Notes who has made an item. */
export function markMaker(item: ResponseItem, provider: string): void {
  makers.set(item, provider);
}

/** The provider that has made an item; `undefined` for that of the thread's first line. */
export function makerOf(item: ResponseItem): string | undefined {
  return makers.get(item);
}

/** A history and the providers concerned. */
export interface Reading {
  readonly items: readonly ResponseItem[];
  /** The provider that is to read it. */
  readonly reader: string;
  /** The provider of the thread's first line. */
  readonly first: string;
}

/**
 * A history as another provider may see it: without what only the maker of an item can read, and without ids, which only
 * the maker can look up. The same list where the reader has made all of it.
 */
export function readableBy({ items, reader, first }: Reading): readonly ResponseItem[] {
  const isForeign = (item: ResponseItem) => (makers.get(item) ?? first) !== reader;
  if (!items.some((item) => isForeign(item) && isPrivate(item))) return items;
  return items.flatMap((item) => (isForeign(item) && isPrivate(item) ? (publicPart(item) ?? []) : item));
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
