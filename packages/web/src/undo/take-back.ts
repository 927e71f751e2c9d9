import type { DiffFile, DiffLine } from "../items/diff/parse-diff.ts";

/** A file's text; null where there is no file. */
export type Content = string | null;

/** The side of a change that a file is to have: `before` takes the change back, `after` makes it again. */
export type Side = "before" | "after";

/** The content of a file with a change taken back or made again; undefined where the file is no longer as it left it. */
export function withSide(content: Content, file: DiffFile, side: Side): Content | undefined {
  const isBorn = file.kind === (side === "after" ? "added" : "deleted");
  const isGone = file.kind === (side === "after" ? "deleted" : "added");
  const lines = file.hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text));
  if (isBorn) return content === null ? whole(lines) : undefined;
  if (content === null) return undefined;
  if (isGone) return content === whole(lines) || content === lines.join("\n") ? null : undefined;
  if (file.kind === "binary") return undefined;
  return replaced(content, file, side);
}

const whole = (lines: readonly string[]): string => (lines.length === 0 ? "" : `${lines.join("\n")}\n`);

/** Each hunk must be found where the one before it ended or later, nearest to where its numbers say. */
function replaced(content: string, { hunks }: DiffFile, side: Side): string | undefined {
  const lines = content.split("\n");
  const result: string[] = [];
  let done = 0;
  const now: Side = side === "before" ? "after" : "before";
  for (const hunk of hunks) {
    const old = textOf(hunk.lines, now);
    const at = find(lines, old, { from: done, near: numberOf(hunk.lines, now) });
    if (at === undefined) return undefined;
    for (let line = done; line < at; line++) result.push(lines[line] ?? "");
    for (const text of textOf(hunk.lines, side)) result.push(text);
    done = at + old.length;
  }
  for (let line = done; line < lines.length; line++) result.push(lines[line] ?? "");
  return result.join("\n");
}

const textOf = (lines: readonly DiffLine[], side: Side): readonly string[] =>
  lines.filter((line) => line[side] !== null).map(({ text }) => text);

const numberOf = (lines: readonly DiffLine[], side: Side): number =>
  (lines.find((line) => line[side] !== null)?.[side] ?? 1) - 1;

interface Place {
  readonly from: number;
  readonly near: number;
}

function find(lines: readonly string[], wanted: readonly string[], { from, near }: Place): number | undefined {
  const fits = (at: number): boolean => at >= from && wanted.every((text, index) => lines[at + index] === text);
  for (let distance = 0; distance <= lines.length; distance++) {
    if (fits(near - distance)) return near - distance;
    if (near + distance <= lines.length - wanted.length && fits(near + distance)) return near + distance;
  }
  return undefined;
}
