import { Pause, Play, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount, formatDuration, formatNumber } from "../items/format.ts";
import { limitBars } from "../side-panel/usage.ts";
import { Badge, Button, Meter, Notice } from "../ui/index.ts";
import type { Board } from "./board.ts";
import { SearchBox } from "./search-box.tsx";
import type { Commands } from "./use-commands.ts";
import { agoText, untilText } from "./use-now.ts";
import type { Problem, Summary as SummaryRow } from "./wire.ts";

interface SummaryProps {
  readonly board: Board;
  readonly now: number;
  readonly commands: Commands;
  /** Nobody is there to take commands. */
  readonly disabled: boolean;
  readonly onSearch: (words: string) => void;
}

/** The head of the page: what it works on, how much is under way and used, what is wrong, and the commands for all. */
export function Summary({ board, now, commands, disabled, onSearch }: SummaryProps): ReactNode {
  const { summary: state } = board;
  const { mode, health, codex_totals: totals, rate_limits: limits } = state;
  const paused = mode === "paused";
  const bars = limits === null ? [] : limitBars([limits], now);
  return (
    <header className="orchestrator-summary">
      <div className="orchestrator-head">
        <div>
          <h1>
            Orchestrator <Badge tone={mode === "running" ? "success" : "warning"}>{mode}</Badge>
          </h1>
          <p className="orchestrator-muted">
            {state.workflow_path} · {state.tracker_kind} · checked {agoText(health.last_tick_at, now)}
            {health.next_tick_at !== null && `, next ${untilText(health.next_tick_at, now)}`}
          </p>
        </div>
        <div className="orchestrator-commands">
          <SearchBox onSearch={onSearch} />
          <Button
            icon={<RefreshCw size={14} />}
            busy={commands.busy.has("refresh")}
            disabled={disabled}
            onClick={() => commands.run("refresh")}
          >
            Refresh
          </Button>
          <Button
            icon={paused ? <Play size={14} /> : <Pause size={14} />}
            busy={commands.busy.has(paused ? "resume" : "pause")}
            disabled={disabled || mode === "draining"}
            onClick={() => commands.run(paused ? "resume" : "pause")}
          >
            {paused ? "Resume" : "Pause"}
          </Button>
        </div>
      </div>
      <ProblemNotice title="The workflow has an error; the last good one is" problem={health.workflow_error} />
      <ProblemNotice title="The tracker could not be reached" problem={health.tracker_error} />
      <ProblemNotice title="Nothing more starts today" problem={health.budget_error} />
      <dl className="orchestrator-figures">
        <Figure name="Agents" value={`${formatNumber(state.counts.running)} of ${state.max_concurrent_agents}`} />
        <Figure name="Tokens" value={formatCount(totals.total_tokens)} title={tokensTitle(state)} />
        <Figure name="Time worked" value={formatDuration(totals.seconds_running * 1000) || "0 s"} />
      </dl>
      {bars.length > 0 && (
        <div className="orchestrator-limits">
          {bars.map((bar) => (
            <Meter key={bar.label} {...bar} />
          ))}
        </div>
      )}
    </header>
  );
}

function Figure(props: { readonly name: string; readonly value: string; readonly title?: string }): ReactNode {
  return (
    <div title={props.title}>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  );
}

function ProblemNotice({ title, problem }: { readonly title: string; readonly problem: Problem | null }): ReactNode {
  if (problem === null) return null;
  return (
    <Notice tone="danger">
      {title}: {problem.message} <code>{problem.code}</code>
    </Notice>
  );
}

function tokensTitle({ codex_totals: totals }: SummaryRow): string {
  return `${formatNumber(totals.input_tokens)} in, ${formatNumber(totals.output_tokens)} out`;
}
