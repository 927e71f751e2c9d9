import { isTable, type Table } from "../lib/table.ts";

/** The front matter of a SKILL.md. */
export interface SkillHead {
  readonly name: string | null;
  readonly description: string;
  readonly shortDescription: string | null;
}

const maxNameLength = 64;

/** The head of a SKILL.md, or what is wrong with it. */
export function parseSkillHead(text: string): SkillHead | string {
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1];
  if (head === undefined) return "missing YAML frontmatter delimited by ---";
  const { name, description, metadata } = fieldsOf(head);
  const about = oneLine(description);
  if (about === null) return "missing field `description`";
  const called = oneLine(name);
  if (called !== null && called.length > maxNameLength)
    return `invalid name: exceeds maximum length of ${maxNameLength} characters`;
  return {
    name: called,
    description: about,
    shortDescription: isTable(metadata) ? oneLine(metadata["short-description"]) : null,
  };
}

function fieldsOf(head: string): Table {
  try {
    const value: unknown = Bun.YAML.parse(head);
    if (isTable(value)) return value;
  } catch {
    // A description with a colon in it is no YAML, and written all the same.
  }
  const lines = head.split(/\r?\n/);
  return {
    name: fieldOf(lines, "name"),
    description: fieldOf(lines, "description"),
    metadata: { "short-description": fieldOf(lines.filter(isIndented).map(trimmed), "short-description") },
  };
}

const isIndented = (line: string): boolean => /^[ \t]/.test(line);
const trimmed = (line: string): string => line.trim();

/** The rest of the line that begins with a key, without quotes. */
function fieldOf(lines: readonly string[], key: string): string | undefined {
  const line = lines.find((each) => each.startsWith(`${key}:`));
  return line
    ?.slice(key.length + 1)
    .trim()
    .replace(/^["']/, "")
    .replace(/["']$/, "");
}

function oneLine(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
  return String(value).replace(/\s+/g, " ").trim() || null;
}
