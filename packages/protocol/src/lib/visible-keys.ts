import { type VisiblePart, visibleParts } from "./visible-text.ts";

/** Keys, each with as many presses as follow each other. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const keys = /(\r\n|[\x00-\x1f\x7f])\1*/g;
const names: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    "\r\n": "⏎",
    "\r": "⏎",
    "\n": "⏎",
    "\t": "Tab",
    "\x1b": "Esc",
    "\x7f": "Backspace",
  }),
);

/**
 * Makes typed input safe to read: `visibleParts` with keys named, such as `⟦^C⟧`, `⟦Esc⟧` or, at the end of each line,
 * `⟦⏎⟧`.
 */
export function visibleKeys(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let end = 0;
  const put = (piece: string) => {
    if (piece !== "") parts.push(...visibleParts(piece));
  };
  for (const { 0: run, 1: key = "", index } of text.matchAll(keys)) {
    put(text.slice(end, index));
    end = index + run.length;
    const times = run.length / key.length;
    const name = names.get(key) ?? `^${String.fromCharCode(key.charCodeAt(0) + 64)}`;
    parts.push({ text: `⟦${name}${times > 1 ? ` ×${times}` : ""}⟧`, isMark: true });
    if (name === "⏎" && end < text.length) parts.push({ text: "\n", isMark: false });
  }
  put(text.slice(end));
  return parts;
}
