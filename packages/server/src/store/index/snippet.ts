import { characterBoundary } from "../../lib/character-boundary.ts";

/** Separates two messages, so that a snippet does not cross them. */
export const border = "\u001e";
/** Characters shown around a match. */
const before = 48;
const after = 96;

/** The text around the first match, in one line; `undefined` without a match. */
export function snippetOf(body: string, term: string): string | undefined {
  const at = body.toLowerCase().indexOf(term);
  if (at === -1) return undefined;
  const first = body.lastIndexOf(border, at) + 1;
  const next = body.indexOf(border, at);
  const last = next === -1 ? body.length : next;
  const start = characterBoundary(body, Math.max(first, at - before));
  const end = characterBoundary(body, Math.min(last, at + term.length + after));
  const words = body.slice(start, end).replaceAll(/\s+/g, " ").trim();
  return `${start > first ? "... " : ""}${words}${end < last ? " ..." : ""}`;
}
