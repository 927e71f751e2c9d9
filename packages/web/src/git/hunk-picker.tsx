import { type ReactNode, useMemo } from "react";
import { DiffLines } from "../items/diff/diff-lines.tsx";
import type { DiffFile } from "../items/diff/parse-diff.ts";
import { gitWords } from "../words/words.ts";

interface HunkPickerProps {
  readonly file: DiffFile;
  /** Hunks that stay out of the commit, counted from 1. */
  readonly left: ReadonlySet<number>;
  readonly onToggle: (hunk: number) => void;
  readonly foldKey: string;
}

/** A file's diff, each hunk with a box that takes it into the commit. */
export function HunkPicker({ file, left, onToggle, foldKey }: HunkPickerProps): ReactNode {
  const hunks = useMemo(() => file.hunks.map((hunk): DiffFile => ({ ...file, hunks: [hunk] })), [file]);
  return hunks.map((hunk, index) => {
    const number = index + 1;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: hunks have no other name
      <section key={index} className="git-hunk" aria-label={gitWords.hunk(linesOf(hunk))}>
        <label className="git-hunk-head">
          <input type="checkbox" className="git-pick" checked={!left.has(number)} onChange={() => onToggle(number)} />
          {gitWords.commitHunk(linesOf(hunk))}
        </label>
        <DiffLines file={hunk} foldKey={`${foldKey}/${number}`} />
      </section>
    );
  });
}

/** The lines of a hunk as people name them: of the new file, or of the old one where all of them are gone. */
function linesOf({ hunks }: DiffFile): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const changed = lines.filter(({ kind }) => kind !== "context");
  const numbers = changed.flatMap(({ after }) => after ?? []);
  const named = numbers.length > 0 ? numbers : changed.flatMap(({ before }) => before ?? []);
  const [first = 1, last = first] = [named[0], named.at(-1)];
  return first === last ? String(first) : `${first}–${last}`;
}
