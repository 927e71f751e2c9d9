import { lazy, type ReactNode, Suspense } from "react";
import type { SlashCommandName } from "../composer/index.ts";
import type { Route } from "../navigation/routes.ts";
import { NewThreadPage } from "../new-thread/page.tsx";
import { useStore } from "../state/index.ts";
import { Spinner } from "../ui/index.ts";
import { appWords } from "../words/words.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { PanelButton } from "./panel-button.tsx";
import { PageHeader, type ThreadHeaderProps } from "./thread-header.tsx";
import { ThreadPage } from "./thread-page.tsx";

/** Loaded when it is asked for: most users never do. */
const OrchestratorPage = lazy(async () => ({ default: (await import("../orchestrator/index.ts")).OrchestratorPage }));

interface MainPartProps extends Omit<ThreadHeaderProps, "thread"> {
  readonly route: Route;
  readonly onCommand: (name: SlashCommandName, argument: string) => Promise<void>;
  /** Shows where one signs in. */
  readonly onSignIn: () => void;
  /** Shows where a model is connected. */
  readonly onConnect: () => void;
}

/** The view that the address names. */
export function MainPart({ route, onCommand, onSignIn, onConnect, ...header }: MainPartProps): ReactNode {
  const hasHub = useStore((state) => state.hubs.length > 0);
  if (route.page === "thread") {
    return <ThreadPage {...header} threadKey={route.key} onCommand={onCommand} />;
  }
  return (
    <>
      <PageHeader onSidebar={header.onSidebar}>
        {route.page === "new" && hasHub && (
          <>
            <span className="app-header-text" />
            <PanelButton open={header.panelOpen} onPress={header.onPanel} />
          </>
        )}
      </PageHeader>
      {route.page === "new" ? (
        <ErrorBoundary what={appWords.newThreadCouldNotShown}>
          <NewThreadPage
            hub={route.hub}
            cwd={route.cwd}
            onCommand={onCommand}
            onSignIn={onSignIn}
            onConnect={onConnect}
          />
        </ErrorBoundary>
      ) : (
        <ErrorBoundary what={appWords.orchestratorCouldNotShown}>
          <Suspense fallback={<Spinner label={appWords.loading} />}>
            <OrchestratorPage />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
