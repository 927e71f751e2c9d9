import { CornerDownRight } from "lucide-react";
import { memo, type ReactNode, useEffect, useRef, useState } from "react";
import { threadHref } from "../navigation/routes.ts";
import { keyText, type ThreadSummary } from "../state/index.ts";
import { ago, threadTitle } from "../state/thread-title.ts";
import { classNames } from "../ui/index.ts";
import { attentionWords as words } from "../words/words.ts";
import type { ThreadNode } from "./group-threads.ts";
import { RenameInput } from "./rename-input.tsx";
import { StatusMark } from "./status-mark.tsx";
import { ThreadMenu } from "./thread-menu.tsx";

/** Props of {@link ThreadRow}. */
export interface ThreadRowProps {
  readonly thread: ThreadSummary;
  readonly current: boolean;
  readonly nowMs: number;
  /** Text around what a search found. */
  readonly snippet?: string | undefined;
}

/** A thread in a list. */
export const ThreadRow = memo(function ThreadRow({ thread, current, nowMs, snippet }: ThreadRowProps): ReactNode {
  const [renaming, setRenaming] = useState(false);
  const link = useLinkAfter(renaming);
  const title = threadTitle(thread);
  if (renaming) {
    return (
      <div className="sidebar-row">
        <RenameInput threadKey={thread.key} name={thread.name ?? title} onDone={() => setRenaming(false)} />
      </div>
    );
  }
  return (
    <div className={classNames("sidebar-row", current && "is-current", thread.unread && "is-unread")}>
      <a
        ref={link}
        className="sidebar-link"
        href={threadHref(thread.key)}
        aria-current={current ? "page" : undefined}
        onDoubleClick={() => setRenaming(true)}
      >
        <StatusMark thread={thread} />
        <span className="sidebar-text">
          <span className="sidebar-title">{title}</span>
          {thread.agentRole !== null && thread.parent !== null && (
            <span className="sidebar-role">{thread.agentRole}</span>
          )}
          {thread.parent !== null && words.states[thread.status] !== "" && (
            <span className={`sidebar-state is-${thread.status}`} aria-hidden="true">
              {words.states[thread.status]}
            </span>
          )}
          {snippet !== undefined && snippet !== "" && snippet !== title && (
            <span className="sidebar-snippet">{snippet}</span>
          )}
        </span>
        <time className="sidebar-time" dateTime={new Date(thread.updatedAt * 1000).toISOString()}>
          {ago(thread.updatedAt, nowMs)}
        </time>
      </a>
      <ThreadMenu thread={thread} current={current} onRename={() => setRenaming(true)} />
    </div>
  );
});

/** The row's link, which takes the focus when its name was changed, unless something else has it by then. */
function useLinkAfter(renaming: boolean) {
  const link = useRef<HTMLAnchorElement>(null);
  const renamed = useRef(false);
  useEffect(() => {
    if (!renaming && renamed.current && document.activeElement === document.body) link.current?.focus();
    renamed.current = renaming;
  }, [renaming]);
  return link;
}

interface ThreadTreeProps {
  readonly nodes: readonly ThreadNode[];
  /** `keyText` of the thread that the page shows. */
  readonly current: string | null;
  readonly nowMs: number;
  /** Depth of sub-agents; 0 for threads of their own. */
  readonly depth?: number | undefined;
}

/** Threads with their sub-agents below them. */
export function ThreadTree({ nodes, current, nowMs, depth = 0 }: ThreadTreeProps): ReactNode {
  return (
    <ul className={depth === 0 ? "sidebar-list" : "sidebar-list sidebar-nested"}>
      {nodes.map(({ thread, children }) => (
        <li key={keyText(thread.key)}>
          {depth > 0 && <CornerDownRight className="sidebar-branch" size={12} aria-hidden="true" />}
          <ThreadRow thread={thread} current={keyText(thread.key) === current} nowMs={nowMs} />
          {children.length > 0 && <ThreadTree nodes={children} current={current} nowMs={nowMs} depth={depth + 1} />}
        </li>
      ))}
    </ul>
  );
}
