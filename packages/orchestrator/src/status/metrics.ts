import type { OrchestratorControl } from "../events/control.ts";
import { content, problem } from "./responses.ts";

/** Looks at the tracker that may be late before the orchestrator counts as stuck. */
const lateLooks = 3;

/** Numbers in the text format of Prometheus. */
export function renderMetrics(control: OrchestratorControl): Response {
  const { running, retrying, blocked, finishedCount, waitingCount, totals, health } = control.snapshot();
  const gauge = (name: string, help: string, value: number) => line("gauge", { name, help, value });
  const counter = (name: string, help: string, value: number) => line("counter", { name, help, value });
  return content(
    "text/plain; version=0.0.4; charset=utf-8",
    [
      gauge("running", "Runs under way", running.length),
      gauge("retrying", "Issues that wait for their next run", retrying.length),
      gauge("blocked", "Issues that need a person", blocked.length),
      gauge("waiting", "Issues that wait for their first run", waitingCount),
      gauge("finished", "Issues that were let go", finishedCount),
      counter("input_tokens_total", "Tokens that models read", totals.inputTokens),
      counter("output_tokens_total", "Tokens that models wrote", totals.outputTokens),
      counter("run_seconds_total", "Seconds of all runs", totals.secondsRunning),
      gauge("workflow_error", "1 if the workflow file cannot be used", health.workflowError ? 1 : 0),
      gauge("tracker_error", "1 if the last look at the tracker failed", health.trackerError ? 1 : 0),
      gauge("over_budget", "1 if the budget of the day is used up", health.budgetError ? 1 : 0),
      gauge("last_look_timestamp_seconds", "Time of the last look at the tracker", (health.lastTickAt ?? 0) / 1000),
    ].join(""),
  );
}

function line(
  type: string,
  { name, help, value }: { readonly name: string; readonly help: string; readonly value: number },
) {
  const full = `quire_orchestrator_${name}`;
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${value}\n`;
}

/** Says whether the orchestrator looks at its tracker as often as it should. Needs no token, and tells nothing else. */
export function renderHealth(control: OrchestratorControl): Response {
  const { generatedAt, startedAt, pollIntervalMs, health } = control.snapshot();
  const late = generatedAt - (health.nextTickAt ?? health.lastTickAt ?? startedAt);
  if (late <= Math.max(lateLooks * pollIntervalMs, 60_000)) return content("text/plain; charset=utf-8", "ok\n");
  return problem(503, { code: "stuck", message: "The tracker was not looked at for long: see the log." });
}
