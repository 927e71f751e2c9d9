import { Inbox } from "lucide-react";
import { type ReactNode, useState } from "react";
import { classNames, EmptyState, Notice, Spinner } from "../ui/index.ts";
import type { OrchestratorApi } from "./api.ts";
import { IssueLists } from "./issue-lists.tsx";
import { IssuePanel } from "./issue-panel.tsx";
import { Summary } from "./summary.tsx";
import { useCommands } from "./use-commands.ts";
import { useNow } from "./use-now.ts";
import { useOrchestratorState } from "./use-state.ts";
import type { OrchestratorState } from "./wire.ts";

/** Everything about one orchestrator, renewed as it changes. */
export function OrchestratorView({ api }: { readonly api: OrchestratorApi }): ReactNode {
  const { link, state } = useOrchestratorState(api);
  const [selected, setSelected] = useState<string | null>(null);
  const commands = useCommands(api);
  const now = useNow();
  return (
    <div className={classNames("orchestrator", selected !== null && "has-panel")}>
      <div className="orchestrator-main">
        {link === "offline" && (
          <Notice tone="warning">
            The orchestrator does not answer{state === null ? "" : "; this is its last known state"}. Start it with{" "}
            <code>quire orchestrate --port N</code>; this page goes on by itself.
          </Notice>
        )}
        {commands.error !== null && <Notice tone="danger">{commands.error}</Notice>}
        {state === null ? (
          link === "connecting" && <Spinner label="Loading the board" />
        ) : (
          <>
            <Summary state={state} now={now} commands={commands} disabled={link !== "live"} />
            {isIdle(state) ? (
              <EmptyState icon={<Inbox size={24} />} title="Nothing to do">
                No issue in an active state is ready. Change one in the tracker, then look again.
              </EmptyState>
            ) : (
              <IssueLists state={state} now={now} selected={selected} onSelect={setSelected} />
            )}
          </>
        )}
      </div>
      {selected !== null && (
        <IssuePanel
          api={api}
          identifier={selected}
          version={state?.generated_at ?? ""}
          commands={commands}
          disabled={link !== "live"}
          onClose={() => setSelected(null)}
        />
      )}
    </div>
  );
}

function isIdle({ running, retrying, blocked, finished }: OrchestratorState): boolean {
  return running.length + retrying.length + blocked.length + finished.length === 0;
}
