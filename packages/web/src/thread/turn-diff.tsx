import { FileDiff as FileDiffIcon } from "lucide-react";
import { useMemo } from "react";
import { Activity } from "../items/activity.tsx";
import { CopyButton } from "../items/copy-button.tsx";
import { DiffCounts } from "../items/diff/diff-counts.tsx";
import { DiffModeSwitch, FileList } from "../items/diff/file-list.tsx";
import { parseDiff } from "../items/diff/parse-diff.ts";
import { baseName, plural } from "../items/format.ts";

/** What a turn changed in all, folded to a line. */
export function TurnDiff({ diff, foldKey }: { readonly diff: string; readonly foldKey: string }) {
  const files = useMemo(() => parseDiff(diff), [diff]);
  if (files.length === 0) return null;
  const sum = (of: "added" | "removed"): number => files.reduce((total, file) => total + file[of], 0);
  return (
    <Activity
      icon={FileDiffIcon}
      title={`${plural(files.length, "file")} changed`}
      detail={files
        .slice(0, 4)
        .map((file) => baseName(file.path))
        .join(", ")}
      facts={[<DiffCounts key="counts" added={sum("added")} removed={sum("removed")} />]}
      foldKey={foldKey}
      controls={<DiffModeSwitch />}
      actions={<CopyButton label="Copy diff" text={() => diff} />}
    >
      <FileList files={files} foldKey={`${foldKey}/files`} opened={false} />
    </Activity>
  );
}
