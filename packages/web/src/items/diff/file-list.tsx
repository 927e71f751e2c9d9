import type { ReactNode } from "react";
import { Segmented } from "../../ui/index.ts";
import { itemWords } from "../../words/words.ts";
import { useFold } from "../folds.ts";
import { plural } from "../format.ts";
import { type DiffMode, useDiffMode, useRoomForSplit } from "./diff-mode.ts";
import { FileDiff } from "./file-diff.tsx";
import type { DiffFile } from "./parse-diff.ts";

/** Files that are listed before the user asks for all. */
const shownFiles = 30;

/** Lines up to which the files of a change are shown opened. */
const openLimit = 120;

interface FileListProps {
  readonly files: readonly DiffFile[];
  readonly foldKey: string;
  /** Shows the lines of small changes at once. */
  readonly opened: boolean;
  /** A control before each file's name. */
  readonly lead?: ((file: DiffFile) => ReactNode) | undefined;
  /** Shown in place of a file's diff; undefined for the diff. */
  readonly body?: ((file: DiffFile) => ReactNode | undefined) | undefined;
}

/** Changed files with their diffs. */
export function FileList({ files, foldKey, opened, lead, body }: FileListProps) {
  const [all, showAll] = useFold(`${foldKey}/files`, false);
  const shown = all ? files : files.slice(0, shownFiles);
  const lines = files.reduce((sum, file) => sum + file.added + file.removed, 0);
  return (
    <div className="diff-files">
      {shown.map((file, index) => (
        <FileDiff
          // biome-ignore lint/suspicious/noArrayIndexKey: a hostile diff can name a file twice
          key={index}
          file={file}
          lead={lead?.(file)}
          body={body?.(file)}
          foldKey={`${foldKey}/${index}`}
          initiallyOpen={opened && lines <= openLimit && index < 5}
        />
      ))}
      {shown.length < files.length && (
        <button type="button" className="items-more" onClick={() => showAll(true)}>
          {itemWords.showWord} {plural(files.length - shown.length, "more file")}
        </button>
      )}
    </div>
  );
}

/** Lets the user choose between one column and two; nothing where there is no room for two. */
export function DiffModeSwitch() {
  const [mode, setMode] = useDiffMode();
  if (!useRoomForSplit()) return null;
  return (
    <Segmented
      label={itemWords.diffView}
      value={mode}
      options={[
        { value: "unified", label: itemWords.unified },
        { value: "split", label: itemWords.split },
      ]}
      onChange={(value) => setMode(value as DiffMode)}
    />
  );
}
