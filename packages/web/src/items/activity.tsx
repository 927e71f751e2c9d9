import { ChevronRight, CircleHelp, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Spinner } from "../ui/index.ts";
import { itemWords } from "../words/words.ts";
import { useFold } from "./folds.ts";

/** Progress of an activity. */
export type ActivityStatus = "running" | "waiting" | "done" | "failed" | "declined";

interface ActivityProps {
  readonly icon: LucideIcon;
  readonly title: ReactNode;
  /** Its object, in one line. */
  readonly detail?: ReactNode;
  readonly status?: ActivityStatus | undefined;
  /** Short facts at the end of the line: duration, exit code. */
  readonly facts?: readonly ReactNode[] | undefined;
  /** The status in other words; null leaves it to the icon and the facts. */
  readonly statusText?: string | null | undefined;
  readonly actions?: ReactNode;
  /** Controls of what is unfolded, at the end of the line. */
  readonly controls?: ReactNode;
  /** Content to unfold below the line. */
  readonly children?: ReactNode;
  readonly foldKey: string;
  readonly initiallyOpen?: boolean | undefined;
}

const statusTexts = { running: null, waiting: itemWords.waits, done: null, failed: "failed", declined: "declined" };

/** A line about something the agent did, with its data folded below it. */
export function Activity({ icon: Icon, title, detail, status = "done", ...props }: ActivityProps) {
  const { facts = [], actions, controls, children, foldKey, initiallyOpen = false } = props;
  const { statusText = statusTexts[status] } = props;
  const [open, setOpen] = useFold(foldKey, initiallyOpen);
  const folds = children !== undefined && children !== null && children !== false;
  const line = (
    <>
      <span className="items-icon">
        <StatusIcon status={status} icon={Icon} />
        {folds && <ChevronRight size={14} aria-hidden="true" className="items-chevron" />}
      </span>
      <span className="items-title">{title}</span>
      {detail !== undefined && <span className="items-detail">{detail}</span>}
      <span className="items-facts">
        {statusText !== null && <span className="items-status">{statusText}</span>}
        {facts.map((fact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: facts have no other name
          <span key={index}>{fact}</span>
        ))}
      </span>
    </>
  );
  return (
    <div className={`items-activity items-${status}`}>
      <div className="items-head">
        {folds ? (
          <button type="button" className="items-line" aria-expanded={open} onClick={() => setOpen(!open)}>
            {line}
          </button>
        ) : (
          <div className="items-line">{line}</div>
        )}
        {open && controls}
        {actions}
      </div>
      {folds && open && <div className="items-body">{children}</div>}
    </div>
  );
}

function StatusIcon({ status, icon: Icon }: Required<Pick<ActivityProps, "icon" | "status">>) {
  if (status === "running") return <Spinner />;
  return status === "waiting" ? <CircleHelp size={14} aria-hidden="true" /> : <Icon size={14} aria-hidden="true" />;
}
