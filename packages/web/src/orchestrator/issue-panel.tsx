import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { IconButton, Notice, Spinner } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";
import type { OrchestratorApi } from "./api.ts";
import { IssueActions } from "./issue-actions.tsx";
import { IssueDiffView } from "./issue-diff.tsx";
import { IssueFacts, rowOf } from "./issue-facts.tsx";
import { Timeline } from "./timeline.tsx";
import type { Commands } from "./use-commands.ts";
import { useIssueDetail } from "./use-detail.ts";
import type { Card } from "./wire.ts";

interface IssuePanelProps {
  readonly api: OrchestratorApi;
  readonly identifier: string;
  /** The issue on the board, if that part of it is loaded. */
  readonly card: Card | undefined;
  /** Another value is the reason to load again. */
  readonly version: string;
  readonly commands: Commands;
  readonly disabled: boolean;
  readonly onClose: () => void;
}

/** An issue: what you can do with it, what became of it, and its timeline. */
export function IssuePanel(props: IssuePanelProps): ReactNode {
  const { api, identifier, card, version, commands, disabled, onClose } = props;
  const { detail, error, loading } = useIssueDetail(api, identifier, version);
  const heading = useRef<HTMLHeadingElement>(null);
  // Where the panel takes the board's place, the focus would stay on a card that is not seen.
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside className="orchestrator-panel" aria-label={boardWords.issue(identifier)}>
      <header className="orchestrator-panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {identifier}
        </h2>
        <IconButton label={boardWords.close} icon={<X size={16} />} onClick={onClose} />
      </header>
      {loading && <Spinner label={boardWords.loadingIssue} />}
      {error !== null && <Notice tone="warning">{error}</Notice>}
      {detail !== null && (
        <>
          <p className="orchestrator-panel-title">{rowOf(detail)?.issue_title}</p>
          {detail.last_error !== null && (
            <Notice tone={detail.status === "running" ? "warning" : "danger"}>
              {detail.status === "running" && `${boardWords.previous} `}
              {detail.last_error.message} <code>{detail.last_error.code}</code>
            </Notice>
          )}
          <IssueActions detail={detail} card={card} commands={commands} disabled={disabled} />
          <IssueFacts detail={detail} />
          {detail.delivery !== null && detail.delivery.commit !== null && (
            <IssueDiffView api={api} identifier={identifier} commit={detail.delivery.commit} />
          )}
          <h3>{boardWords.timeline}</h3>
          <Timeline events={detail.recent_events} />
        </>
      )}
    </aside>
  );
}
