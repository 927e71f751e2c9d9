import { commentWords } from "../words/words.ts";
import type { LineComment } from "./comment-store.ts";

/** All comments as one message to the agent, file by file, each with the line that it is about. */
export function messageOfComments(comments: readonly LineComment[]): string {
  const sorted = comments.toSorted((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
  const parts = sorted.map((comment) => {
    const quote = comment.code.trim() === "" ? [] : [`> ${comment.code}`];
    return [placeOf(comment), ...quote, comment.text.trim()].join("\n");
  });
  return [commentWords.intro, ...parts].join("\n\n");
}

/** `src/a.ts:12`, `src/a.ts:12-14`; a removed line says that it is one. */
export function placeOf({ path, line, endLine, removed }: Omit<LineComment, "id" | "text" | "code">): string {
  const last = endLine === null || endLine === line ? "" : `-${endLine}`;
  return `${path}:${line}${last}${removed ? ` (${commentWords.removedLine})` : ""}`;
}
