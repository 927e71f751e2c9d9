import { CircleAlert, CircleHelp, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import type { ThreadSummary } from "../state/model.ts";
import { sidebarWords } from "../words/words.ts";

const words = {
  idle: "",
  notLoaded: "",
  working: sidebarWords.working,
  waiting: sidebarWords.waiting,
  failed: sidebarWords.failed,
  disconnected: sidebarWords.disconnected,
} as const;

/** The status of a thread, as a small sign with its words for assistive tools. Nothing for an idle thread. */
export function StatusMark({ thread }: { readonly thread: ThreadSummary }): ReactNode {
  const { status, unread } = thread;
  const text = [words[status], unread && status !== "waiting" ? sidebarWords.newWord : ""]
    .filter((word) => word !== "")
    .join(", ");
  return (
    <span className="sidebar-mark" title={text === "" ? undefined : text}>
      <Sign thread={thread} />
      {text !== "" && <span className="visually-hidden">{text}: </span>}
    </span>
  );
}

function Sign({ thread: { status, unread } }: { readonly thread: ThreadSummary }): ReactNode {
  if (status === "working") return <span className="sidebar-working" aria-hidden="true" />;
  if (status === "waiting") return <CircleHelp className="sidebar-waiting" size={14} aria-hidden="true" />;
  if (status === "failed") return <CircleAlert className="sidebar-failed" size={14} aria-hidden="true" />;
  if (unread) return <span className="sidebar-unread" aria-hidden="true" />;
  if (status === "disconnected") return <Unplug className="sidebar-disconnected" size={12} aria-hidden="true" />;
  return null;
}
