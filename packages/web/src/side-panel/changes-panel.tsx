import { FileDiff as FileDiffIcon } from "lucide-react";
import { useMemo, useState } from "react";
import { DiffCounts } from "../items/diff/diff-counts.tsx";
import { FileList } from "../items/diff/file-list.tsx";
import { plural } from "../items/format.ts";
import "../items/items.css";
import { ItemContext } from "../items/item-context.ts";
import type { ThreadState } from "../state/model.ts";
import { EmptyState, Segmented } from "../ui/index.ts";
import { lastTurnFiles, threadFiles } from "./changed-files.ts";

/** The files that the agent changed, in its last turn or in the whole thread. */
export function ChangesPanel({ thread }: { readonly thread: ThreadState }) {
  const [scope, setScope] = useState("thread");
  const files = useMemo(() => (scope === "turn" ? lastTurnFiles(thread) : threadFiles(thread)), [thread, scope]);
  const sum = (count: "added" | "removed"): number => files.reduce((total, file) => total + file[count], 0);
  return (
    <div className="side-panel">
      <div className="side-row">
        <Segmented
          label="Changes of"
          value={scope}
          options={[
            { value: "thread", label: "Whole thread" },
            { value: "turn", label: "Last turn" },
          ]}
          onChange={setScope}
        />
        {files.length > 0 && (
          <span className="side-note">
            {plural(files.length, "file")} <DiffCounts added={sum("added")} removed={sum("removed")} />
          </span>
        )}
      </div>
      {files.length === 0 ? (
        <EmptyState icon={<FileDiffIcon size={24} />} title="No files changed yet">
          When the agent edits files, they are listed here with what was added and removed.
        </EmptyState>
      ) : (
        <ItemContext value={{ cwd: thread.settings.cwd, openThread: null, agentName: () => null, readFile: null }}>
          <FileList files={files} foldKey={`side/${scope}`} opened={false} />
        </ItemContext>
      )}
    </div>
  );
}
