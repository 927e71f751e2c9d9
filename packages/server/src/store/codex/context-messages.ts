import type { ContentItem, ResponseItem } from "@quire/protocol";
import { fields, list, text } from "./fields.ts";

/**
 * Removes from an entry of Codex's history the context that Codex put before the user's words: instructions, skills,
 * project documents, environment. This server adds its own to each request. Returns `undefined` when nothing else is
 * left.
 * @param opening True before the turn's first user message, where such messages are.
 */
export function withoutContext(item: ResponseItem, opening: boolean): ResponseItem | undefined {
  if (item.type !== "message" || (item.role !== "user" && item.role !== "developer")) return item;
  const kinds = contentKinds(item);
  const isContext = (part: ContentItem, index: number) =>
    kinds ? isContextKind(kinds[index]) : item.role === "developer" ? opening : isContextText(part);
  const content = item.content.filter((part, index) => !isContext(part, index));
  if (content.length === item.content.length) return item;
  return content.length === 0 ? undefined : { ...item, content };
}

/** Since about 0.160 each part of a message names its origin. */
function contentKinds(item: ResponseItem & { type: "message" }): readonly unknown[] | undefined {
  const kinds = fields(item.internal_chat_message_metadata_passthrough).content_item_kinds;
  const known = list(kinds);
  return known.length === item.content.length && known.length > 0 ? known : undefined;
}

/** Origins that are history. All else is context. */
const historical = ["user.", "unknown", "shell.", "compaction.", "generic."];

function isContextKind(kind: unknown): boolean {
  return typeof kind === "string" && !historical.some((start) => kind.startsWith(start));
}

/** Marks of older versions for context in user messages. */
const openings = ["<environment_context>", "<user_instructions>", "# AGENTS.md instructions for "];

function isContextText(part: ContentItem): boolean {
  const words = part.type === "input_text" ? text(part.text) : "";
  return openings.some((opening) => words.startsWith(opening));
}
