import type { ContentItem, MessageResponseItem } from "@quire/protocol";

/** A message to the model. */
export function message(role: "developer" | "user", content: ContentItem[]): MessageResponseItem {
  return { type: "message", role, content };
}

/** A piece of text in a message. */
export function text(value: string): ContentItem {
  return { type: "input_text", text: value };
}

/** Text between a pair of tags, each on a line of its own. */
export function tagged(tag: string, value: string): string {
  return `<${tag}>\n${value}\n</${tag}>`;
}

/** Text escaped for use between tags. */
export function escaped(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
