import type { ResponseItem } from "@quire/protocol";

type Fields = Readonly<Record<string, unknown>>;

/** The fields relied on in each kind of item; kinds that are only passed on need just their type. */
const checks: ReadonlyMap<string, (item: Fields) => boolean> = new Map(
  Object.entries<(item: Fields) => boolean>({
    message: ({ role, content }) => typeof role === "string" && isList(content),
    reasoning: ({ summary, content }) => isList(summary) && summary.every(hasText) && (!content || isList(content)),
    function_call: ({ name, call_id: id, arguments: args }) => areTexts(name, id, args),
    custom_tool_call: ({ name, call_id: id, input }) => areTexts(name, id, input),
    web_search_call: ({ action }) => !action || isFields(action),
  }),
);

/** True when a value has the type of an item. */
export function isItem(value: unknown): value is ResponseItem {
  return isFields(value) && typeof value.type === "string";
}

/** True for a valid, complete item. An invalid one would fail every later request with it; Codex skips it. */
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
