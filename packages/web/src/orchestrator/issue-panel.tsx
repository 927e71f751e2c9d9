import { ExternalLink, MessageSquare, RotateCcw, Square, X } from "lucide-react";
import type { ReactNode } from "react";
import { WebLink } from "../items/markdown/web-link.tsx";
import { webHref } from "../side-panel/web-href.ts";
import { Button, IconButton, Notice, Spinner } from "../ui/index.ts";
import type { OrchestratorApi } from "./api.ts";
import { Timeline } from "./timeline.tsx";
import { type Commands, commandKey } from "./use-commands.ts";
import { useIssueDetail } from "./use-detail.ts";
import { useThreadHref } from "./use-thread-href.ts";
import type { IssueDetail } from "./wire.ts";

interface IssuePanelProps {
  readonly api: OrchestratorApi;
  readonly identifier: string;
  /** Another value is the reason to load again. */
  readonly version: string;
  readonly commands: Commands;
  readonly disabled: boolean;
  readonly onClose: () => void;
}

/** An issue: its timeline, its links, and its commands. */
export function IssuePanel({ api, identifier, version, commands, disabled, onClose }: IssuePanelProps): ReactNode {
  const { detail, error, loading } = useIssueDetail(api, identifier, version);
  return (
    <aside className="orchestrator-panel" aria-label={`Issue ${identifier}`}>
      <header className="orchestrator-panel-head">
        <h2>{identifier}</h2>
        <IconButton label="Close" icon={<X size={16} />} onClick={onClose} />
      </header>
      {loading && <Spinner label="Loading" />}
      {error !== null && <Notice tone="warning">{error}</Notice>}
      {detail !== null && (
        <>
          <p className="orchestrator-panel-title">{rowOf(detail)?.issue_title}</p>
          <Links detail={detail} />
          <PanelCommands detail={detail} commands={commands} disabled={disabled} />
          {detail.last_error !== null && (
            <Notice tone={detail.status === "running" ? "warning" : "danger"}>
              {detail.status === "running" && "Previous run: "}
              {detail.last_error.message} <code>{detail.last_error.code}</code>
            </Notice>
          )}
          <h3>Timeline</h3>
          <Timeline events={detail.recent_events} />
        </>
      )}
    </aside>
  );
}

function Links({ detail }: { readonly detail: IssueDetail }): ReactNode {
  const row = rowOf(detail);
  const threadId = row?.thread_id ?? null;
  const thread = useThreadHref(threadId);
  const issue = webHref(row?.issue_url);
  return (
    <ul className="orchestrator-links">
      {issue !== undefined && (
        <li>
          <WebLink href={issue} text="In the tracker">
            <ExternalLink size={14} aria-hidden="true" /> In the tracker
          </WebLink>
        </li>
      )}
      {threadId !== null && (
        <li>
          {thread === null ? (
            <span className="orchestrator-muted" title="No connected server has this thread">
              Thread {threadId}
            </span>
          ) : (
            <a href={thread}>
              <MessageSquare size={14} aria-hidden="true" /> Open the thread
            </a>
          )}
        </li>
      )}
      {detail.workspace !== null && <li className="orchestrator-muted">{detail.workspace.path}</li>}
    </ul>
  );
}

function PanelCommands(props: {
  readonly detail: IssueDetail;
  readonly commands: Commands;
  readonly disabled: boolean;
}): ReactNode {
  const { detail, commands, disabled } = props;
  const { issue_identifier: identifier, status } = detail;
  const waits = status === "retrying" || status === "blocked";
  const button = (name: "retry" | "stop", label: string, icon: ReactNode): ReactNode => (
    <Button
      icon={icon}
      variant={name === "stop" ? "danger" : "secondary"}
      busy={commands.busy.has(commandKey(identifier, name))}
      disabled={disabled}
      onClick={() => commands.runOn(identifier, name)}
    >
      {label}
    </Button>
  );
  if (status === "finished") return null;
  return (
    <div className="orchestrator-commands">
      {waits && button("retry", "Retry now", <RotateCcw size={14} />)}
      {status !== "blocked" && button("stop", "Stop", <Square size={14} />)}
    </div>
  );
}

function rowOf(detail: IssueDetail) {
  return detail.running ?? detail.retry ?? detail.blocked ?? detail.finished;
}
