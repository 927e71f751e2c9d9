export { OrchestratorPage } from "./orchestrator-page.tsx";
