import { isSeq, parseDocument, YAMLSeq } from "yaml";
import { splitIssue } from "./issue-file.ts";

/** Changes to an issue's file. */
export interface IssueEdit {
  readonly state?: string | undefined;
  readonly addLabels?: readonly string[] | undefined;
  readonly removeLabels?: readonly string[] | undefined;
  /** Goes to the end of the file, below a heading with the time. */
  readonly comment?: string | undefined;
}

/** The file's new text; the rest of it, comments in the YAML included, stays as it was. */
export function editIssue(content: string, edit: IssueEdit, now: Date): string {
  const parts = splitIssue(content);
  if (typeof parts === "string") throw new Error(`The issue's file ${parts}`);
  const document = parseDocument(parts.frontMatter, { schema: "core", logLevel: "silent" });
  if (document.errors.length > 0) throw new Error("The issue's file has front matter that is no YAML: mend it first.");
  if (edit.state !== undefined) document.set("state", edit.state);
  if (edit.addLabels !== undefined || edit.removeLabels !== undefined) {
    const present = document.get("labels");
    const labels = isSeq(present) ? present.toJSON() : present === undefined || present === null ? [] : [present];
    document.set("labels", flow(document.createNode(changed(labels, edit))));
  }
  const front = document.toString({ lineWidth: 0, flowCollectionPadding: false }).replace(/\n*$/, "\n");
  const body = edit.comment === undefined ? parts.body : withComment(parts.body, edit.comment, now);
  return `---\n${front}---\n${body === "" || body.startsWith("\n") ? "" : "\n"}${body}`;
}

function changed(labels: readonly unknown[], { addLabels = [], removeLabels = [] }: IssueEdit): string[] {
  const gone = new Set(removeLabels.map((label) => label.trim().toLowerCase()));
  const kept = labels.map(String).filter((label) => !gone.has(label.trim().toLowerCase()));
  const there = new Set(kept.map((label) => label.trim().toLowerCase()));
  return [...kept, ...addLabels.map((label) => label.trim()).filter((label) => !there.has(label.toLowerCase()))];
}

/** `[a, b]` on one line, as people write labels. */
function flow(node: unknown): unknown {
  if (node instanceof YAMLSeq) node.flow = true;
  return node;
}

function withComment(body: string, comment: string, now: Date): string {
  const stamp = now.toISOString().replace(/\.\d+Z$/, "Z");
  return `${body.trimEnd()}\n\n## Comment of ${stamp}\n\n${comment.trim()}\n`.trimStart();
}
