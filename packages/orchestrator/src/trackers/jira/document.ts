import { asList, asObject, text } from "../records/normalize.ts";

/** Depth to which a document is read; none that a person writes is as deep. */
const maxDepth = 50;

/** The text of a document in Atlassian's format, as plain Markdown; null where there is none. */
export function plainText(document: unknown): string | null {
  if (typeof document === "string") return text(document);
  return text(
    blocks(asList(asObject(document)?.content), "", 0)
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
  );
}

/** A document of plain text: a paragraph for each part between blank lines. */
export function documentOf(words: string): object {
  const content = words
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== "")
    .map((part) => ({ type: "paragraph", content: inlineOf(part) }));
  return { type: "doc", version: 1, content };
}

function inlineOf(part: string): object[] {
  const lines = part.split("\n");
  return lines.flatMap((line, index) => [
    ...(line === "" ? [] : [{ type: "text", text: line }]),
    ...(index + 1 < lines.length ? [{ type: "hardBreak" }] : []),
  ]);
}

function blocks(nodes: readonly unknown[], indent: string, depth: number): string {
  if (depth > maxDepth) return "";
  return nodes.map((node) => block(node, indent, depth)).join("");
}

function block(node: unknown, indent: string, depth: number): string {
  const { type, content, attrs } = asObject(node) ?? {};
  const children = asList(content);
  switch (type) {
    case "heading":
      return `${"#".repeat(Number(asObject(attrs)?.level) || 1)} ${inline(children, depth)}\n\n`;
    case "bulletList":
    case "orderedList":
      return `${children.map((item) => `${indent}- ${listItem(item, `${indent}  `, depth)}`).join("")}\n`;
    case "codeBlock":
      return `\`\`\`\n${inline(children, depth)}\n\`\`\`\n\n`;
    case "paragraph":
      return `${inline(children, depth)}\n\n`;
    default:
      return children.length > 0 ? blocks(children, indent, depth + 1) : inline([node], depth);
  }
}

function listItem(item: unknown, indent: string, depth: number): string {
  return `${blocks(asList(asObject(item)?.content), indent, depth + 1)
    .replace(/\n{2,}/g, "\n")
    .trimEnd()}\n`;
}

function inline(nodes: readonly unknown[], depth: number): string {
  if (depth > maxDepth) return "";
  return nodes
    .map((node) => {
      const { type, text: words, attrs, content } = asObject(node) ?? {};
      if (type === "text") return text(words) ?? (typeof words === "string" ? words : "");
      if (type === "hardBreak") return "\n";
      const { text: label, url } = asObject(attrs) ?? {};
      return text(label) ?? text(url) ?? inline(asList(content), depth + 1);
    })
    .join("");
}
