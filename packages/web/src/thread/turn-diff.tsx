import { FileDiff as FileDiffIcon } from "lucide-react";
import { Activity } from "../items/activity.tsx";
import { CopyButton } from "../items/copy-button.tsx";
import { DiffCounts } from "../items/diff/diff-counts.tsx";
import { diffText } from "../items/diff/diff-text.ts";
import { DiffModeSwitch, FileList } from "../items/diff/file-list.tsx";
import type { DiffFile } from "../items/diff/parse-diff.ts";
import { baseName, plural } from "../items/format.ts";
import { threadWords } from "../words/words.ts";

interface TurnDiffProps {
  readonly files: readonly DiffFile[];
  /** The server's own text of it; null where there is none. */
  readonly diff: string | null;
  readonly foldKey: string;
}

/** All changes of a turn, folded to a line. */
export function TurnDiff({ files, diff, foldKey }: TurnDiffProps) {
  const sum = (of: "added" | "removed"): number => files.reduce((total, file) => total + file[of], 0);
  return (
    <Activity
      icon={FileDiffIcon}
      title={threadWords.changed(plural(files.length, "file"))}
      detail={files
        .slice(0, 4)
        .map((file) => baseName(file.path))
        .join(", ")}
      facts={[<DiffCounts key="counts" added={sum("added")} removed={sum("removed")} />]}
      foldKey={foldKey}
      controls={<DiffModeSwitch />}
      actions={<CopyButton label={threadWords.copyDiff} text={() => diff ?? diffText(files)} />}
    >
      <FileList files={files} foldKey={`${foldKey}/files`} opened={false} />
    </Activity>
  );
}
