import type { FileUpdateChange } from "@quire/protocol";
import { type DiffFile, type DiffLine, parseDiff } from "./parse-diff.ts";

/** A pure cache: a change that was sent stays as it is. */
const cache = new WeakMap<FileUpdateChange, DiffFile>();

/**
 * The diff of one file of a patch. For a file that is added or deleted, servers send its content in place of a diff.
 * Cached with the change.
 */
export function fileOfChange(change: FileUpdateChange): DiffFile {
  const known = cache.get(change);
  if (known !== undefined) return known;
  const file = read(change);
  cache.set(change, file);
  return file;
}

function read({ diff, kind, path }: FileUpdateChange): DiffFile {
  const type = typeof kind === "string" ? kind : kind.type;
  const isDiff = /^(?:@@|--- |diff --git )/m.test(diff);
  if ((type === "add" || type === "delete") && !isDiff)
    return wholeFile(path, diff, type === "add" ? "added" : "deleted");
  const movedTo = typeof kind === "object" && kind.type === "update" ? (kind.move_path ?? null) : null;
  const [file] = parseDiff(diff, path);
  return {
    ...(file ?? { hunks: [], added: 0, removed: 0 }),
    kind: type === "add" ? "added" : type === "delete" ? "deleted" : (file?.kind ?? "changed"),
    path: movedTo ?? path,
    from: movedTo === null ? null : path,
  };
}

function wholeFile(path: string, content: string, kind: "added" | "deleted"): DiffFile {
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const isNew = kind === "added";
  const diffLines = lines.map((text, index): DiffLine => {
    const number = index + 1;
    return isNew
      ? { kind: "added", text, before: null, after: number }
      : { kind: "removed", text, before: number, after: null };
  });
  return {
    path,
    from: null,
    kind,
    hunks: diffLines.length === 0 ? [] : [{ heading: "", lines: diffLines }],
    added: isNew ? lines.length : 0,
    removed: isNew ? 0 : lines.length,
  };
}
