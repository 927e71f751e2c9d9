import { FilePenLine } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity, type ActivityStatus } from "../activity.tsx";
import { fileOfChange } from "../diff/change-files.ts";
import { DiffCounts } from "../diff/diff-counts.tsx";
import { DiffModeSwitch, FileList } from "../diff/file-list.tsx";
import { baseName, plural } from "../format.ts";
import type { ItemProps } from "../item-props.ts";

const statuses: Readonly<Record<string, ActivityStatus>> = {
  inProgress: "running",
  completed: "done",
  failed: "failed",
  declined: "declined",
};

/** Changes of files, each as a diff. */
export function FileChange({ item, state, waiting = false }: ItemProps<"fileChange">) {
  const files = item.changes.map(fileOfChange);
  const sum = (of: "added" | "removed"): number => files.reduce((total, file) => total + file[of], 0);
  const [only] = files;
  const reported = statuses[item.status] ?? "done";
  const status = reported !== "running" ? reported : state.done ? "done" : waiting ? "waiting" : "running";
  return (
    <Activity
      icon={FilePenLine}
      title={verb(status, files.length === 1 ? only?.kind : undefined)}
      detail={files.length === 1 && only !== undefined ? baseName(only.path) : plural(files.length, "file")}
      status={status}
      facts={[<DiffCounts key="counts" added={sum("added")} removed={sum("removed")} />]}
      foldKey={item.id}
      initiallyOpen
      controls={<DiffModeSwitch />}
    >
      {files.length > 0 && <FileList files={files} foldKey={`${item.id}/diff`} opened />}
    </Activity>
  );
}

function verb(status: ActivityStatus, kind: string | undefined): string {
  if (status === "running") return itemWords.editing;
  if (status !== "done") return itemWords.edit;
  if (kind === "added") return itemWords.created;
  return kind === "deleted" ? itemWords.deletedFile : itemWords.edited;
}
