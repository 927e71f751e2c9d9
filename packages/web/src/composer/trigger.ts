/** The kind of completion that a typed sign asks for. */
export type TriggerKind = "file" | "skill" | "command";

/** The word at the caret that begins with a sign. */
export interface Trigger {
  readonly kind: TriggerKind;
  readonly query: string;
  readonly start: number;
  readonly end: number;
}

const kinds: ReadonlyMap<string, TriggerKind> = new Map(
  Object.entries<TriggerKind>({ "@": "file", $: "skill", "/": "command" }),
);

/**
 * The word to complete at the caret: `@` and `$` at the start of any word, `/` only as the very first character. A price
 * such as `$5` is no skill.
 */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  let start = caret;
  while (start > 0 && !/\s/.test(text[start - 1] ?? "")) start--;
  const kind = kinds.get(text[start] ?? "");
  if (kind === undefined || start >= caret) return undefined;
  if (kind === "command" && start > 0) return undefined;
  let end = caret;
  while (end < text.length && !/\s/.test(text[end] ?? "")) end++;
  const query = text.slice(start + 1, caret);
  if (kind === "skill" && /^\d/.test(query)) return undefined;
  if (kind === "command" && query.includes("/")) return undefined;
  return { kind, query, start, end };
}

/** The text with the word replaced, and where the caret goes. */
export function completeTrigger(
  text: string,
  { start, end }: Trigger,
  word: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(end);
  const space = rest.startsWith(" ") ? "" : " ";
  return { text: `${text.slice(0, start)}${word}${space}${rest}`, caret: start + word.length + 1 };
}
