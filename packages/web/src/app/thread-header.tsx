import {
  Download,
  Ellipsis,
  FolderGit2,
  GitBranch,
  PanelLeft,
  Search,
  Share2,
  Sparkles,
  SquareTerminal,
} from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { threadHref } from "../navigation/routes.ts";
import { RenameInput, StatusMark, threadMenu } from "../sidebar/index.ts";
import {
  type Actions,
  messageOf,
  type ThreadState,
  type ThreadSummary,
  useActions,
  useStore,
  useSummary,
} from "../state/index.ts";
import { suggestTitle } from "../state/suggest-title.ts";
import { shortPath, threadTitle } from "../state/thread-title.ts";
import type { ExportFormat } from "../thread/export/export-thread.ts";
import { openFind } from "../thread/find/use-find.ts";
import { IconButton, Menu, type MenuItem } from "../ui/index.ts";
import { appWords, exportWords, worktreeWords } from "../words/words.ts";
import { PanelButton } from "./panel-button.tsx";

/** Loaded when it is opened. */
const WorktreeDialog = lazy(async () => ({
  default: (await import("../worktrees/worktree-dialog.tsx")).WorktreeDialog,
}));

interface PageHeaderProps {
  /** Shows the sidebar; absent while it is shown. */
  readonly onSidebar?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/** The bar at the top of the main part. */
export function PageHeader({ onSidebar, children }: PageHeaderProps): ReactNode {
  return (
    <header className="app-header">
      {onSidebar !== undefined && (
        <IconButton label={appWords.showSidebar} shortcut="Mod+B" icon={<PanelLeft size={16} />} onClick={onSidebar} />
      )}
      {children}
    </header>
  );
}

/** Props of {@link ThreadHeader}. */
export interface ThreadHeaderProps {
  readonly thread: ThreadState;
  readonly onSidebar?: (() => void) | undefined;
  readonly panelOpen: boolean;
  readonly onPanel: () => void;
  readonly terminalOpen: boolean;
  readonly onTerminal: () => void;
}

/** The header of a thread: its title, its folder, its menu. */
export function ThreadHeader({ thread, onSidebar, ...panels }: ThreadHeaderProps): ReactNode {
  const { panelOpen, onPanel, terminalOpen, onTerminal } = panels;
  const actions = useActions();
  const [renaming, setRenaming] = useState(false);
  const [moving, setMoving] = useState(false);
  const { summary } = thread;
  const title = threadTitle(summary);
  const menu = threadMenu(summary, { actions, current: true, onRename: () => setRenaming(true) });
  return (
    <PageHeader onSidebar={onSidebar}>
      <div className="app-header-text">
        <ParentLink thread={summary} />
        {renaming ? (
          <RenameInput threadKey={summary.key} name={summary.name ?? title} onDone={() => setRenaming(false)} />
        ) : (
          <h1 className="app-header-title" title={title} onDoubleClick={() => setRenaming(true)}>
            <StatusMark thread={summary} />
            <span>{title}</span>
          </h1>
        )}
        <Place thread={thread} />
      </div>
      <Menu
        label={appWords.threadActions}
        align="end"
        // Archiving comes last: it leads away.
        sections={menu.toSpliced(-1, 0, {
          items: [findItem, worktreeItem(summary, () => setMoving(true)), ...exportItems(actions, summary)],
        })}
        trigger={(props) => <IconButton {...props} label={appWords.threadActions} icon={<Ellipsis size={16} />} />}
      />
      <IconButton
        label={terminalOpen ? appWords.hideTerminal : appWords.showTerminal}
        shortcut="Mod+J"
        active={terminalOpen}
        aria-expanded={terminalOpen}
        icon={<SquareTerminal size={16} />}
        onClick={onTerminal}
      />
      <PanelButton open={panelOpen} onPress={onPanel} />
      {moving && (
        <Suspense fallback={null}>
          <WorktreeDialog thread={thread} onClose={() => setMoving(false)} />
        </Suspense>
      )}
    </PageHeader>
  );
}

function worktreeItem(summary: ThreadSummary, onSelect: () => void): MenuItem {
  const disabled = summary.status === "disconnected" || summary.archived;
  return { id: "worktree", label: worktreeWords.title, icon: <FolderGit2 size={16} />, disabled, onSelect };
}

const findItem: MenuItem = {
  id: "find",
  label: appWords.findThread,
  icon: <Search size={16} />,
  shortcut: "Mod+F",
  onSelect: openFind,
};

/** Ways to take a thread along. Their code is loaded when one is chosen. */
function exportItems(actions: Actions, summary: ThreadSummary): readonly MenuItem[] {
  const save = (format: ExportFormat) => () => {
    import("../thread/export/export-thread.ts")
      .then(({ exportThread }) => exportThread(actions, summary, format))
      .catch((error: unknown) => actions.toast("error", messageOf(error)));
  };
  const disabled = summary.status === "disconnected";
  const icon = <Download size={16} />;
  return [
    {
      id: "title",
      label: exportWords.title,
      icon: <Sparkles size={16} />,
      disabled,
      onSelect: () => {
        suggestTitle(actions, summary)
          .then((title) => actions.rename(summary.key, title))
          .catch((error: unknown) => actions.toast("error", messageOf(error)));
      },
    },
    { id: "markdown", label: exportWords.markdown, icon, disabled, onSelect: save("markdown") },
    { id: "html", label: exportWords.html, icon, disabled, onSelect: save("html") },
    {
      id: "share",
      label: exportWords.share,
      icon: <Share2 size={16} />,
      disabled,
      onSelect: () => {
        import("../thread/export/export-thread.ts")
          .then(({ shareThread }) => shareThread(actions, summary))
          .then((copied) => copied && actions.toast("info", exportWords.copied))
          .catch((error: unknown) => {
            // Who closes the system's dialog wants nothing more.
            if ((error as Error).name !== "AbortError") actions.toast("error", messageOf(error));
          });
      },
    },
    { id: "json", label: exportWords.json, icon, disabled, onSelect: save("json") },
  ];
}

/** A sub-agent's way back to the thread that started it. */
function ParentLink({ thread }: { readonly thread: ThreadSummary }): ReactNode {
  const parent = useSummary(thread.parent === null ? null : { hub: thread.key.hub, thread: thread.parent });
  if (parent === null) return null;
  return (
    <span className="app-header-parent">
      <a href={threadHref(parent.key)}>{threadTitle(parent)}</a>
      <span aria-hidden="true">/</span>
    </span>
  );
}

function Place({ thread }: { readonly thread: ThreadState }): ReactNode {
  const home = useStore((state) => state.gateway?.home ?? null);
  const hub = useStore((state) =>
    state.hubs.length > 1 ? (state.hubs.find(({ id }) => id === thread.summary.key.hub)?.name ?? null) : null,
  );
  const { branch, agentRole } = thread.summary;
  const cwd = thread.settings.cwd || thread.summary.cwd;
  return (
    <p className="app-header-place">
      {agentRole !== null && <Clip text={agentRole} />}
      {hub !== null && <Clip text={hub} />}
      {cwd !== "" && <Clip text={shortPath(cwd, home)} title={cwd} />}
      {branch !== null && (
        <span className="app-header-branch" title={branch}>
          <GitBranch size={12} aria-hidden="true" />
          <span className="app-header-clip">{branch}</span>
        </span>
      )}
    </p>
  );
}

/** Text that ends in dots where there is no room for all of it. */
function Clip({ text, title = text }: { readonly text: string; readonly title?: string }): ReactNode {
  return (
    <span title={title}>
      <span className="app-header-clip">{text}</span>
    </span>
  );
}
