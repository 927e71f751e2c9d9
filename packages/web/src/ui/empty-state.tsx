import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** Content to expect here, and how to get it. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** The placeholder of an empty panel. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="ui-empty">
      {icon !== undefined && (
        <div className="ui-empty-icon" aria-hidden="true">
          {icon}
        </div>
      )}
      <p className="ui-empty-title">{title}</p>
      {children !== undefined && <div className="ui-empty-text">{children}</div>}
      {action !== undefined && <div className="ui-empty-action">{action}</div>}
    </div>
  );
}
