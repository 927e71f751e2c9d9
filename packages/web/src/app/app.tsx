import type { ReactNode } from "react";
import type { PageStore } from "../state/page-store.ts";
import { appWords } from "../words/words.ts";
import "./app.css";
import { LinkBanner } from "./banner.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Frame } from "./frame.tsx";
import { Gate } from "./gate.tsx";
import { LiveRegion } from "./live-region.tsx";
import { Toasts } from "./toasts.tsx";

interface AppProps {
  readonly store: PageStore;
  /** Tries the link to the gateway now. */
  readonly onRetry: () => void;
}

/** The whole page. */
export function App({ store, onRetry }: AppProps): ReactNode {
  return (
    <ErrorBoundary what={appWords.quireCouldNotShown}>
      <div className="app">
        <LinkBanner onRetry={onRetry} />
        <Gate>
          <Frame store={store} />
        </Gate>
        <Toasts />
        <LiveRegion store={store} />
      </div>
    </ErrorBoundary>
  );
}
