import type { ResponseItem } from "@quire/protocol";

type Fields = Readonly<Record<string, unknown>>;

/** What is relied on of items of a kind; kinds that are only passed on need no more than their type. */
const checks: ReadonlyMap<string, (item: Fields) => boolean> = new Map(
  Object.entries<(item: Fields) => boolean>({
    message: ({ role, content }) => typeof role === "string" && isList(content),
    reasoning: ({ summary, content }) => isList(summary) && summary.every(hasText) && (!content || isList(content)),
    function_call: ({ name, call_id: id, arguments: args }) => areTexts(name, id, args),
    custom_tool_call: ({ name, call_id: id, input }) => areTexts(name, id, input),
    web_search_call: ({ action }) => !action || isFields(action),
  }),
);

/** Whether a value says what kind of item it is. */
export function isItem(value: unknown): value is ResponseItem {
  return isFields(value) && typeof value.type === "string";
}

/**
 * Whether a value is an item as it should be when it is complete. One that is not would fail its turn, and every later
 * request that holds it; Codex passes it over.
 */
export function isWholeItem(value: unknown): value is ResponseItem {
  return isItem(value) && (checks.get(value.type)?.(value as unknown as Fields) ?? true);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.every(isFields);
}

function hasText({ text }: Fields): boolean {
  return typeof text === "string";
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}
