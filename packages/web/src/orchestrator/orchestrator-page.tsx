import "./orchestrator.css";
import { Waypoints } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useStore } from "../state/react.tsx";
import { EmptyState } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";
import { OrchestratorApi } from "./api.ts";
import { OrchestratorView } from "./orchestrator-view.tsx";

/** The page of the gateway's orchestrator. */
export function OrchestratorPage(): ReactNode {
  const base = useStore((state) => state.gateway?.orchestrator ?? null);
  const api = useMemo(() => (base === null ? null : new OrchestratorApi(base)), [base]);
  if (api !== null) return <OrchestratorView api={api} />;
  return (
    <div className="orchestrator">
      <EmptyState icon={<Waypoints size={24} />} title={boardWords.notConnected}>
        {boardWords.startWith} <code>quire orchestrate --port 4510</code>
        {boardWords.pageWith} <code>quire up --orchestrator http://127.0.0.1:4510</code>.
      </EmptyState>
    </div>
  );
}
