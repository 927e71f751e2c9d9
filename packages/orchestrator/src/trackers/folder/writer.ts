import type { IssueWriter } from "../../tracker/tracker.ts";
import { editIssue } from "./edit-issue.ts";
import type { FolderStore } from "./folder-store.ts";
import { rewriteFile } from "./write-issue.ts";

/** Marks around the orchestrator's own words at the end of a file. */
const begin = "<!-- quire: delivery -->";
const end = "<!-- quire: end -->";

/** Changes the files of issues. */
export function folderWriter(store: FolderStore): IssueWriter {
  return {
    async setState({ id }, state) {
      await rewriteFile(store.path(id), (content) => editIssue(content, { state }, new Date()));
    },
    async writeNote({ id }, text) {
      await rewriteFile(store.path(id), (content) => withNote(content, text));
      return "note";
    },
  };
}

function withNote(content: string, text: string): string {
  const note = `${begin}\n${text.replaceAll("<!--", "<! --").trim()}\n${end}`;
  const from = content.lastIndexOf(begin);
  const to = content.indexOf(end, from);
  if (from >= 0 && to >= 0) return content.slice(0, from) + note + content.slice(to + end.length);
  return `${content.trimEnd()}\n\n${note}\n`;
}
