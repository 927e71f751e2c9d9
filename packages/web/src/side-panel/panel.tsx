import type { ReactNode } from "react";
import { Button, Notice, Spinner } from "../ui/index.ts";
import { panelWords } from "../words/words.ts";

/** A titled part of a panel. */
export function PanelSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="side-section">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface PanelStateProps {
  readonly loading: boolean;
  readonly error: string | null;
  /** The failure, as in "The account could not be read". */
  readonly failure: string;
  readonly onRetry: () => void;
}

/** A panel's placeholder while its content loads, or when loading failed. */
export function PanelState({ loading, error, failure, onRetry }: PanelStateProps) {
  if (error !== null) {
    return (
      <Notice
        tone="danger"
        actions={
          <Button size="small" onClick={() => onRetry()}>
            {panelWords.tryAgain}
          </Button>
        }
      >
        {failure}: {error}
      </Notice>
    );
  }
  return loading ? (
    <div className="side-loading">
      <Spinner label={panelWords.loading} />
    </div>
  ) : null;
}

/** Names and values, one to a line. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="side-facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
