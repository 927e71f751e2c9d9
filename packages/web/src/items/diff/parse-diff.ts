import { itemWords } from "../../words/words.ts";
import { gitPath, headerPath, unquoted } from "./header-path.ts";

/** A line of a diff. */
export interface DiffLine {
  readonly kind: "context" | "added" | "removed";
  readonly text: string;
  /** Number in the old file; null where it is not in there. */
  readonly before: number | null;
  /** Number in the new file; null where it is not in there. */
  readonly after: number | null;
}

/** Lines that belong together. */
interface DiffHunk {
  /** Text after the second `@@`: most often the function around it. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
}

/** The diff of one file. */
export interface DiffFile {
  readonly path: string;
  /** Path before the file was moved; null for a file that was not. */
  readonly from: string | null;
  readonly kind: "added" | "deleted" | "changed" | "binary";
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
}

const hunkHead = /^@@+ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@+ ?(.*)$/;

interface OpenFile {
  path: string;
  from: string | null;
  kind: DiffFile["kind"];
  hunks: { heading: string; lines: DiffLine[] }[];
  added: number;
  removed: number;
  before: number;
  after: number;
  inHunk: boolean;
  /** Lines of each file that the open hunk still has, by its head. */
  left: { before: number; after: number };
}

const openFile = (path: string): OpenFile => ({
  ...{ path, from: null, kind: "changed", hunks: [], added: 0, removed: 0 },
  ...{ before: 1, after: 1, inHunk: false, left: { before: 0, after: 0 } },
});

/**
 * Reads a unified diff of any number of files. Where it has no file headers, it is about `path`. Lines that are no part
 * of a diff are left out.
 */
export function parseDiff(diff: string, path = ""): readonly DiffFile[] {
  const files: OpenFile[] = [];
  let file: OpenFile | undefined;
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const start = (named: string): OpenFile => {
    const opened = openFile(named);
    files.push(opened);
    return opened;
  };
  for (const [index, line] of lines.entries()) {
    // What a hunk holds is not to pass for a header: files can hold any line.
    if (file !== undefined && isExpected(file, line) && readBody(file, line)) continue;
    if (line.startsWith("diff --git ")) file = start(gitPath(line) ?? path);
    else if (isFileHead(lines, index, file)) file = readOld(file?.hunks.length === 0 ? file : start(path), line);
    else if (file?.inHunk === true && readBody(file, line)) continue;
    else if (hunkHead.test(line) || line === "@@" || line.startsWith("@@ ")) {
      file ??= start(path);
      openHunk(file, line);
    } else if (file !== undefined) readHeader(file, line);
  }
  return files.map(({ before: _before, after: _after, inHunk: _inHunk, left: _left, ...rest }) => rest);
}

/** `--- old` followed by `+++ new` begins a file, unless it is a removed and an added line of the hunk before. */
function isFileHead(lines: readonly string[], index: number, file: OpenFile | undefined): boolean {
  if (lines[index]?.startsWith("--- ") !== true || lines[index + 1]?.startsWith("+++ ") !== true) return false;
  return file?.inHunk !== true || hunkHead.test(lines[index + 2] ?? "");
}

/** True for a line that the open hunk has by its numbers. */
function isExpected({ inHunk, left }: OpenFile, line: string): boolean {
  if (!inHunk) return false;
  const mark = line.charAt(0);
  if (mark === "+") return left.after > 0;
  if (mark === "-") return left.before > 0;
  return (mark === " " || mark === "") && left.before > 0 && left.after > 0;
}

function readOld(file: OpenFile, line: string): OpenFile {
  const old = headerPath(line.slice(4));
  if (old === null) file.kind = "added";
  else if (file.path === "") file.path = old;
  file.inHunk = false;
  return file;
}

function readHeader(file: OpenFile, line: string): void {
  if (line.startsWith("+++ ")) {
    const path = headerPath(line.slice(4));
    if (path === null) file.kind = "deleted";
    else file.path = path;
  } else if (line.startsWith(itemWords.renameFrom)) file.from = unquoted(line.slice(12));
  else if (line.startsWith(itemWords.rename)) file.path = unquoted(line.slice(10));
  else if (line.startsWith("new file mode")) file.kind = "added";
  else if (line.startsWith("deleted file mode")) file.kind = "deleted";
  else if (/^Binary files? .* differ/.test(line) || line === "GIT binary patch") file.kind = "binary";
}

function openHunk(file: OpenFile, line: string): void {
  const [, before, lines, after, newLines, heading] = hunkHead.exec(line) ?? [];
  file.left = {
    before: before === undefined ? 0 : Number(lines ?? 1),
    after: after === undefined ? 0 : Number(newLines ?? 1),
  };
  if (before !== undefined) file.before = Number(before);
  if (after !== undefined) file.after = Number(after);
  file.hunks.push({ heading: heading ?? line.slice(2).trim(), lines: [] });
  file.inHunk = true;
}

/** Adds a line to the open hunk. False when it is none. */
function readBody(file: OpenFile, line: string): boolean {
  const lines = file.hunks.at(-1)?.lines;
  const mark = line.charAt(0);
  const text = line.slice(1);
  if (lines === undefined) return false;
  if (mark === "+") {
    lines.push({ kind: "added", text, before: null, after: file.after++ });
    file.left.after -= 1;
    file.added += 1;
  } else if (mark === "-") {
    lines.push({ kind: "removed", text, before: file.before++, after: null });
    file.left.before -= 1;
    file.removed += 1;
  } else if (mark === " " || mark === "") {
    lines.push({ kind: "context", text, before: file.before++, after: file.after++ });
    file.left.before -= 1;
    file.left.after -= 1;
  } else return mark === "\\";
  return true;
}
