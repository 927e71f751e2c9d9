import { Pause, Play, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount, formatDuration, formatNumber } from "../items/format.ts";
import { limitBars } from "../side-panel/usage.ts";
import { Badge, Button, Meter, Notice } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";
import type { Board } from "./board.ts";
import { SearchBox } from "./search-box.tsx";
import type { Commands } from "./use-commands.ts";
import { agoText, untilText } from "./use-now.ts";
import type { Problem, Summary as SummaryRow } from "./wire.ts";

const { figures } = boardWords;

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
            {boardWords.title} <Badge tone={mode === "running" ? "success" : "warning"}>{boardWords.modes[mode]}</Badge>
          </h1>
          <p className="orchestrator-muted">
            {state.workflow_path} · {state.tracker_kind} · {boardWords.checked(agoText(health.last_tick_at, now))}
            {health.next_tick_at !== null && `, ${boardWords.nextCheck(untilText(health.next_tick_at, now))}`}
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
            {boardWords.refresh}
          </Button>
          <Button
            icon={paused ? <Play size={14} /> : <Pause size={14} />}
            busy={commands.busy.has(paused ? "resume" : "pause")}
            disabled={disabled || mode === "draining"}
            onClick={() => commands.run(paused ? "resume" : "pause")}
          >
            {paused ? boardWords.resume : boardWords.pause}
          </Button>
        </div>
      </div>
      <ProblemNotice title={boardWords.workflowError} problem={health.workflow_error} />
      <ProblemNotice title={boardWords.trackerError} problem={health.tracker_error} />
      <ProblemNotice title={boardWords.budgetError} problem={health.budget_error} />
      <dl className="orchestrator-figures">
        <Figure
          name={figures.agents}
          value={boardWords.agentsOf(formatNumber(state.counts.running), state.max_concurrent_agents)}
        />
        <Figure name={figures.tokens} value={formatCount(totals.total_tokens)} title={tokensTitle(state)} />
        <Figure name={figures.time} value={formatDuration(totals.seconds_running * 1000) || boardWords.seconds(0)} />
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
  return boardWords.tokensInOut(formatNumber(totals.input_tokens), formatNumber(totals.output_tokens));
}
