import { parse } from "yaml";
import { WorkflowError } from "./workflow-error.ts";

/** A workflow file, taken apart. */
export interface WorkflowSource {
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** The prompt's template, without the blank lines around it. */
  readonly body: string;
}

/** Splits a workflow file into settings and prompt. A file without front matter is all prompt. */
export function parseWorkflowSource(text: string): WorkflowSource {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return { frontMatter: {}, body: text.trim() };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end < 0) {
    throw new WorkflowError("workflow_parse_error", "The front matter is not closed: end it with a line of ---");
  }
  const frontMatter = parseYaml(lines.slice(1, end).join("\n"));
  return {
    frontMatter,
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  };
}

function parseYaml(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    // The first line alone: the others repeat the file, which may hold a credential.
    const [why = ""] = (error as Error).message.split("\n");
    throw new WorkflowError("workflow_parse_error", `The front matter is not valid YAML: ${why.replace(/:$/, "")}`);
  }
  // Nothing but blanks and comments.
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    const kind = Array.isArray(value) ? "a list" : `a ${typeof value}`;
    throw new WorkflowError(
      "workflow_front_matter_not_a_map",
      `The front matter is ${kind}: write \`key: value\` lines`,
    );
  }
  return value as Record<string, unknown>;
}
