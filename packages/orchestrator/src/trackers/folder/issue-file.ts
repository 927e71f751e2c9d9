import { LineCounter, parseDocument } from "yaml";
import type { Issue } from "../../tracker/issue.ts";
import { asObject, instantOf, type JsonObject, labelsOf, priorityOf, text } from "../records/normalize.ts";

/** An issue as its file tells it; what other files decide comes later. */
export interface IssueFile {
  /** All but what depends on the blockers' files. */
  readonly issue: Issue;
  /** Identifiers of the issues that have to be finished first. */
  readonly blockers: readonly string[];
}

/** The two parts of a file. */
export interface IssueParts {
  readonly frontMatter: string;
  readonly body: string;
}

/** The expected form of a file, for error messages. */
const form = "It begins with a line ---, then YAML with title and state, then a line ---, then the description.";

/** Takes a file apart, or tells in a sentence why that cannot be done. */
export function splitIssue(content: string): IssueParts | string {
  const plain = content.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (!/^---[ \t]*\n/.test(plain)) return `has no front matter. ${form}`;
  const start = plain.indexOf("\n") + 1;
  const end = /^---[ \t]*$/m.exec(plain.slice(start));
  if (end === null) return `has front matter without an end. ${form}`;
  return {
    frontMatter: plain.slice(start, start + end.index),
    body: plain.slice(start + end.index + end[0].length).replace(/^\n/, ""),
  };
}

/** Path and modification time of a file. */
export interface FileFacts {
  /** The file's name without `.md`. */
  readonly identifier: string;
  readonly path: string;
  readonly modifiedMs: number;
}

/** Reads an issue from a file's text, or tells in a sentence what is wrong with it. */
export function parseIssue(content: string, { identifier, path, modifiedMs }: FileFacts): IssueFile | string {
  const parts = splitIssue(content);
  if (typeof parts === "string") return `${path} ${parts}`;
  const values = frontMatter(parts.frontMatter);
  if (typeof values === "string") return `${path} ${values}`;
  const title = text(values.title) ?? heading(parts.body);
  if (title === null) return `${path} has no title: write "title: …" between the lines ---.`;
  const state = text(values.state)?.trim();
  if (state === undefined) return `${path} has no state: write "state: Todo" between the lines ---.`;
  const blockers = listOf(values.blocked_by);
  const issue: Issue = {
    id: identifier,
    nativeRef: { path },
    identifier,
    title: title.trim(),
    description: text(parts.body)?.trim() ?? null,
    priority: priorityOf(values.priority),
    state,
    branchName: text(values.branch_name),
    url: text(values.url),
    assigneeId: text(values.assignee),
    labels: labelsOf(listOf(values.labels)),
    blockedBy: [],
    dispatchable: true,
    createdAt: instantOf(values.created_at),
    updatedAt: instantOf(values.updated_at) ?? new Date(modifiedMs).toISOString(),
  };
  return { issue, blockers };
}

/** Values that aliases may stand for: a few lines of them could otherwise grow beyond all memory. */
const maxAliasCount = 100;

function frontMatter(source: string): JsonObject | string {
  const lines = new LineCounter();
  // Timestamps stay text: YAML's own would take dates without a time for instants.
  const document = parseDocument(source, { lineCounter: lines, schema: "core", logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined) {
    // One line further: the front matter begins below the first ---.
    const line = lines.linePos(error.pos[0]).line + 1;
    return `has front matter that is no YAML (line ${line}: ${firstLine(error.message)}).`;
  }
  try {
    const values: unknown = document.toJS({ maxAliasCount });
    return asObject(values ?? {}) ?? "has front matter that is no map of names to values.";
  } catch (thrown) {
    return `has front matter that cannot be read (${firstLine((thrown as Error).message)}): write its values out instead of using aliases.`;
  }
}

/** A list, or a single text written without brackets. Numbers in it are read as text: `blocked_by: [12]`. */
function listOf(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((each) => (typeof each === "string" || typeof each === "number" ? [String(each).trim()] : []));
}

const heading = (body: string) => text(/^#[ \t]+(.+)$/m.exec(body)?.[1]);
const firstLine = (message: string) => (message.split("\n")[0] ?? "").replace(/ at line .*$/, "");
