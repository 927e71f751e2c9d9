import { Component, type ReactNode } from "react";
import { Button, EmptyState } from "../ui/index.ts";
import { appWords } from "../words/words.ts";

interface ErrorBoundaryProps {
  /** The failure, as in "The thread could not be shown". */
  readonly what: string;
  /** Another value is another try: what failed for one thread may be fine for the next. */
  readonly resetKey?: string | undefined;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly error: Error | null;
  readonly resetKey: string | undefined;
}

/** Keeps a fault in one part of the page from taking the rest with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: Error): Partial<ErrorBoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps(
    { resetKey }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): Partial<ErrorBoundaryState> | null {
    return resetKey === state.resetKey ? null : { error: null, resetKey };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <EmptyState
        title={this.props.what}
        action={
          <>
            <Button onClick={() => this.setState({ error: null })}>{appWords.tryAgain}</Button>
            <Button variant="ghost" onClick={() => location.reload()}>
              {appWords.reloadPage}
            </Button>
          </>
        }
      >
        {error.message}
      </EmptyState>
    );
  }
}
