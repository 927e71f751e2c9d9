import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Tone } from "./badge.tsx";

const icons = { neutral: Info, accent: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

interface NoticeProps {
  readonly tone?: Tone | undefined;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** A line of news within a panel. Errors and warnings are announced at once. */
export function Notice({ tone = "neutral", children, actions }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={`ui-notice ui-tone-${tone}`} role={tone === "danger" || tone === "warning" ? "alert" : "status"}>
      <Icon size={16} aria-hidden="true" />
      <div className="ui-notice-text">{children}</div>
      {actions !== undefined && <div className="ui-notice-actions">{actions}</div>}
    </div>
  );
}
