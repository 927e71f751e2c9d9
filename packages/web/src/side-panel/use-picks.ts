import { useEffect, useState } from "react";
import type { Pick } from "../git/index.ts";
import type { DiffFile } from "../items/diff/parse-diff.ts";

/** The files and hunks that are chosen, and how that is changed. */
interface Picks {
  readonly picks: readonly Pick[];
  readonly isLeft: (file: DiffFile, hunk: number) => boolean;
  /** Takes a file or one of its hunks in or out. */
  readonly toggle: (file: DiffFile, hunk?: number) => void;
}

/** Chooses everything until something is left out. A file that is gone from the list and comes back is chosen again. */
export function usePicks(files: readonly DiffFile[]): Picks {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const known = files.flatMap((file) => keysOf(file)).join("\n");
  useEffect(() => {
    const there = new Set(known.split("\n"));
    setLeft((before) => new Set([...before].filter((key) => there.has(key))));
  }, [known]);
  const isLeft = (file: DiffFile, hunk: number): boolean => left.has(keyOf(file, hunk));
  return {
    picks: files.flatMap((file): readonly Pick[] => {
      const chosen = numbers(file).filter((hunk) => !isLeft(file, hunk));
      if (chosen.length === 0) return [];
      return [{ file, hunks: chosen.length === numbers(file).length ? "all" : chosen }];
    }),
    isLeft,
    toggle: (file, hunk) =>
      setLeft((before) => {
        const keys = hunk === undefined ? keysOf(file) : [keyOf(file, hunk)];
        const next = new Set(before);
        const takesOut =
          hunk === undefined ? keys.some((key) => !before.has(key)) : keys.every((key) => !before.has(key));
        for (const key of keys) {
          if (takesOut) next.add(key);
          else next.delete(key);
        }
        return next;
      }),
  };
}

/** A file without a diff, such as a picture, counts as one hunk. */
const numbers = ({ hunks }: DiffFile): readonly number[] =>
  hunks.length === 0 ? [1] : hunks.map((_, index) => index + 1);
/** Hunks are told apart by their text: those before them may come and go. */
const keyOf = ({ path, hunks }: DiffFile, hunk: number): string =>
  JSON.stringify([path, hunks[hunk - 1]?.lines.map(({ kind, text }) => kind.charAt(0) + text) ?? []]);
const keysOf = (file: DiffFile): readonly string[] => numbers(file).map((hunk) => keyOf(file, hunk));
