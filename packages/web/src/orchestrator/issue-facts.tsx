import { ExternalLink, GitPullRequest, MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount } from "../items/format.ts";
import { WebLink } from "../items/markdown/web-link.tsx";
import { webHref } from "../side-panel/web-href.ts";
import { Notice } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";
import { StateBadges } from "./board-card.tsx";
import { useThreadHref } from "./use-thread-href.ts";
import type { IssueDetail, IssueRow } from "./wire.ts";

const { facts } = boardWords;

/** Links of an issue, and how much it took over all rounds. */
export function IssueFacts({ detail }: { readonly detail: IssueDetail }): ReactNode {
  const row = rowOf(detail);
  const { delivery, cost, attempts, workspace } = detail;
  const usd = cost.usd === null ? "" : `${boardWords.usd(cost.usd)} · `;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [facts.state, row?.state],
    [facts.cost, `${usd}${boardWords.tokens(formatCount(cost.total_tokens))}`],
    [facts.work, `${boardWords.runs(attempts.runs)} · ${boardWords.turns(cost.turns)}`],
    [facts.branch, delivery?.branch],
    [facts.host, row?.host],
    [facts.folder, workspace?.path],
  ];
  return (
    <>
      <Links detail={detail} />
      {delivery !== null && (
        <div className="board-card-facts">
          <StateBadges card={delivery} />
        </div>
      )}
      {delivery?.error && (
        <Notice tone="warning">
          {delivery.error.message} <code>{delivery.error.code}</code>
        </Notice>
      )}
      <dl className="board-facts">
        {rows.map(([name, value]) =>
          value == null || value === "" ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </>
  );
}

function Links({ detail }: { readonly detail: IssueDetail }): ReactNode {
  const row = rowOf(detail);
  const threadId = row?.thread_id ?? null;
  const thread = useThreadHref(threadId);
  const pull = detail.delivery?.pull_url ?? null;
  return (
    <ul className="orchestrator-links">
      {threadId !== null && (
        <li>
          {thread === null ? (
            <span className="orchestrator-muted" title={boardWords.threadAway}>
              {boardWords.threadId(threadId)}
            </span>
          ) : (
            <a href={thread}>
              <MessageSquare size={14} aria-hidden="true" /> {boardWords.thread}
            </a>
          )}
        </li>
      )}
      {pull !== null && <li>{linkTo(pull, boardWords.pull, <GitPullRequest size={14} aria-hidden="true" />)}</li>}
      {row?.issue_url != null && webHref(row.issue_url) !== undefined && (
        <li>{linkTo(row.issue_url, boardWords.tracker, <ExternalLink size={14} aria-hidden="true" />)}</li>
      )}
    </ul>
  );
}

/** A link, or the address as text where browsers cannot open it, such as a folder's. */
function linkTo(address: string, text: string, icon: ReactNode): ReactNode {
  const href = webHref(address);
  if (href === undefined) {
    return (
      <span className="orchestrator-muted">
        {text}: {address}
      </span>
    );
  }
  return (
    <WebLink href={href} text={text}>
      {icon} {text}
    </WebLink>
  );
}

/** The part of an issue's details that says what it is doing. */
export function rowOf({ waiting, running, retry, blocked, finished }: IssueDetail): IssueRow | null {
  return waiting ?? running ?? retry ?? blocked ?? finished;
}
