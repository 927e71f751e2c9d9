import { FileDiff, Plug, X } from "lucide-react";
import { lazy, Suspense } from "react";
import type { RunScript } from "../scripts/run-script.ts";
import type { ThreadState } from "../state/model.ts";
import { EmptyState, IconButton, Spinner, Tabs } from "../ui/index.ts";
import { fileWords, outlineWords, panelWords, previewWords } from "../words/words.ts";
import { AccountPanel, type AccountPanelProps } from "./account-panel.tsx";
import "./side-panel.css";
import { threadFiles } from "./changed-files.ts";
import { ChangesPanel } from "./changes-panel.tsx";
import { McpPanel, type McpPanelProps } from "./mcp-panel.tsx";
import { OutlinePanel } from "./outline-panel.tsx";
import { PlanPanel } from "./plan-panel.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import { UsagePanel, type UsagePanelProps } from "./usage-panel.tsx";

/** Loaded when it is opened. */
const FilesPanel = lazy(async () => ({ default: (await import("../files/files-panel.tsx")).FilesPanel }));

/** The parts of the panel beside a thread. */
export type SidePanelTab = "changes" | "outline" | "files" | "preview" | "plan" | "usage" | "mcp" | "account";

interface SidePanelProps {
  /** The thread in view; null for a new one. */
  readonly thread: ThreadState | null;
  /** Runs git in the thread's folder; null where there is none. */
  readonly git: RunScript | null;
  /** Asks the model a question in a thread of its own. */
  readonly onAsk: (prompt: string) => Promise<string>;
  /** The hub, and the thread's folder on it; empty where there is none yet. */
  readonly place: { readonly hub: string; readonly cwd: string };
  readonly onLoadOlder: () => void;
  readonly usage: UsagePanelProps;
  readonly mcp: McpPanelProps;
  readonly account: AccountPanelProps;
  /** Why the server cannot be asked now; null where it can. */
  readonly offline: string | null;
  readonly tab: SidePanelTab;
  readonly onTab: (tab: SidePanelTab) => void;
  readonly onClose: () => void;
}

/** The panel beside a thread: changed files, plan, usage, MCP servers, account. */
export function SidePanel({
  thread,
  git,
  onAsk,
  place,
  onLoadOlder,
  usage,
  mcp,
  account,
  offline,
  tab,
  onTab,
  onClose,
}: SidePanelProps) {
  const changed = thread === null ? 0 : threadFiles(thread).length;
  const tabs = [
    { id: "changes", label: panelWords.changesTab, badge: changed > 0 ? changed : undefined },
    { id: "outline", label: outlineWords.tab },
    { id: "files", label: fileWords.tab },
    { id: "preview", label: previewWords.tab },
    { id: "plan", label: panelWords.plan },
    { id: "usage", label: panelWords.usage },
    { id: "mcp", label: "MCP" },
    { id: "account", label: panelWords.account },
  ] as const;
  return (
    <Tabs<SidePanelTab>
      label={panelWords.sidePanel}
      className="side"
      selected={tab}
      onSelect={onTab}
      tabs={tabs}
      actions={<IconButton label={panelWords.closePanel} icon={<X size={16} />} onClick={onClose} />}
    >
      <h2 className="visually-hidden">{tabs.find(({ id }) => id === tab)?.label}</h2>
      {tab === "changes" && (thread === null ? <NoThread /> : <ChangesPanel thread={thread} git={git} onAsk={onAsk} />)}
      {tab === "files" && (
        <Suspense fallback={<Spinner label={fileWords.loading} />}>
          <FilesPanel {...place} />
        </Suspense>
      )}
      {tab === "outline" &&
        (thread === null ? <NoThread /> : <OutlinePanel thread={thread} onLoadOlder={onLoadOlder} />)}
      {tab === "preview" && <PreviewPanel />}
      {tab === "plan" && (thread === null ? <NoThread /> : <PlanPanel thread={thread} />)}
      {tab === "usage" && <UsagePanel {...usage} />}
      {offline !== null && (tab === "mcp" || tab === "account") ? (
        <EmptyState icon={<Plug size={24} />} title={panelWords.notConnected}>
          {offline}
        </EmptyState>
      ) : (
        <>
          {tab === "mcp" && <McpPanel {...mcp} />}
          {tab === "account" && <AccountPanel {...account} />}
        </>
      )}
    </Tabs>
  );
}

function NoThread() {
  return (
    <EmptyState icon={<FileDiff size={24} />} title={panelWords.noThreadYet}>
      {panelWords.sendFirstMessageAgentPlans}
    </EmptyState>
  );
}
