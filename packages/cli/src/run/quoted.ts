import { type VisiblePart, visibleParts } from "@quire/protocol";
import { terminalPart } from "../lib/terminal-text.ts";

const bar = "  │ ";
const continued = "  ┆ ";
const narrowest = 20;

/**
 * The lines of a text that somebody else wrote, as they are shown in a question. Each has a bar before it, also where a
 * line is broken because it is wider than the terminal, so that nothing in the text passes for a part of the question.
 */
export function quoted(
  text: string | readonly VisiblePart[],
  columns: number = process.stderr.columns || 80,
): string[] {
  const width = Math.max(narrowest, columns - bar.length);
  const lines: string[] = [];
  let line = bar;
  let used = 0;
  const end = (next: string) => {
    lines.push(line);
    line = next;
    used = 0;
  };
  const put = (piece: string, size: number) => {
    if (used > 0 && used + size > width) end(continued);
    line += piece;
    used += size;
  };
  for (const part of typeof text === "string" ? visibleParts(text) : text) {
    if (part.isMark) put(terminalPart(part), part.text.length);
    else
      for (const char of part.text) {
        if (char === "\n") end(bar);
        else if (char === "\t") put("    ", 4);
        else put(char, char < "\x7f" ? 1 : Bun.stringWidth(char));
      }
  }
  lines.push(line);
  return lines;
}
