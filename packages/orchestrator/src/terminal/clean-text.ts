import { visibleText } from "@quire/protocol";

/**
 * Text of trackers and agents in exactly `width` columns, on one line. What would move the cursor, change colours, hide or
 * reorder text becomes a mark such as `⟦ESC⟧`.
 */
export function fit(text: string, width: number): string {
  // Before it is made visible, which takes time in proportion: no screen shows more.
  const near = text.slice(0, 4096);
  return toWidth(visibleText(near.replace(/[\t-\r\u0085\u2028\u2029]+/g, " ").trim(), { oneLine: true }), width);
}

/** A line of clean text in exactly `width` columns: cut with an ellipsis, or filled with blanks. Wide characters count as two. */
export function toWidth(clean: string, width: number): string {
  const space = width - Bun.stringWidth(clean);
  if (space >= 0) return clean + " ".repeat(space);
  if (width <= 0) return "";
  let kept = "";
  let used = 0;
  for (const character of clean) {
    const next = Bun.stringWidth(character);
    if (used + next > width - 1) break;
    kept += character;
    used += next;
  }
  return `${kept}…${" ".repeat(width - 1 - used)}`;
}
