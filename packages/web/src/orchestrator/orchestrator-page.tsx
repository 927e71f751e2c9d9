import "./orchestrator.css";
import { Waypoints } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useStore } from "../state/react.tsx";
import { EmptyState } from "../ui/index.ts";
import { OrchestratorApi } from "./api.ts";
import { OrchestratorView } from "./orchestrator-view.tsx";

/** The page of the gateway's orchestrator. */
export function OrchestratorPage(): ReactNode {
  const base = useStore((state) => state.gateway?.orchestrator ?? null);
  const api = useMemo(() => (base === null ? null : new OrchestratorApi(base)), [base]);
  if (api !== null) return <OrchestratorView api={api} />;
  return (
    <div className="orchestrator">
      <EmptyState icon={<Waypoints size={24} />} title="No orchestrator is connected">
        Start one with <code>quire orchestrate --port 4510</code>, and this page with{" "}
        <code>quire up --orchestrator http://127.0.0.1:4510</code>.
      </EmptyState>
    </div>
  );
}
