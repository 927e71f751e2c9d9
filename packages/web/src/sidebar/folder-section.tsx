import { ChevronRight, Folder, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { navigate, newHref } from "../navigation/routes.ts";
import { folderName, shortPath } from "../state/thread-title.ts";
import { IconButton } from "../ui/index.ts";
import { sidebarWords } from "../words/words.ts";
import { isFolded, setFolded } from "./folded.ts";
import type { FolderGroup } from "./group-threads.ts";
import { ThreadTree } from "./thread-row.tsx";

interface FolderSectionProps {
  readonly hub: string;
  readonly group: FolderGroup;
  readonly current: string | null;
  readonly home: string | null;
  readonly nowMs: number;
}

/** The threads of one folder, which can be folded away. */
export function FolderSection({ hub, group, current, home, nowMs }: FolderSectionProps): ReactNode {
  const id = `${hub} ${group.cwd}`;
  const [folded, fold] = useState(() => isFolded(id));
  const name = folderName(group.cwd);
  const toggle = (): void => {
    setFolded(id, !folded);
    fold(!folded);
  };
  return (
    <div className="sidebar-folder">
      <div className="sidebar-folder-head">
        <button
          type="button"
          className="sidebar-fold"
          aria-expanded={!folded}
          title={shortPath(group.cwd, home)}
          onClick={toggle}
        >
          <ChevronRight size={14} className="sidebar-chevron" aria-hidden="true" />
          <Folder size={14} aria-hidden="true" />
          <span>{name}</span>
        </button>
        <IconButton
          label={sidebarWords.newThread(name)}
          className="sidebar-kebab"
          icon={<Plus size={16} />}
          onClick={() => navigate(newHref(hub, group.cwd))}
        />
      </div>
      {!folded && <ThreadTree nodes={group.nodes} current={current} nowMs={nowMs} />}
    </div>
  );
}
