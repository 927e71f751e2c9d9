import type { HookRun } from "@quire/client/view";
import type { HookEventName, HookRunSummary } from "@quire/protocol";
import { Webhook } from "lucide-react";
import { Activity, type ActivityStatus } from "../items/activity.tsx";
import { clipped, formatDuration, humanName, plural, relativePath, revealed } from "../items/format.ts";
import { useItemContext } from "../items/item-context.ts";
import { threadWords } from "../words/words.ts";

/** When each kind of hook runs, as the end of "Hook …". */
const occasions: Readonly<Record<HookEventName, string>> = {
  preModelRequest: threadWords.beforeModelAsked,
  postModelRequest: threadWords.afterModelAnswered,
  preToolUse: threadWords.beforeTool,
  permissionRequest: threadWords.requestPermission,
  postToolUse: threadWords.afterTool,
  preCompact: "before compaction",
  postCompact: "after compaction",
  sessionStart: threadWords.start,
  sessionEnd: threadWords.end,
  userPromptSubmit: threadWords.message,
  subagentStart: "before a sub-agent",
  subagentStop: "after a sub-agent",
  stop: threadWords.endTurn,
  interrupt: threadWords.stop,
};

const words: Readonly<Record<string, string>> = {
  running: "running",
  completed: "done",
  failed: "failed",
  blocked: "blocked",
  stopped: threadWords.stoppedTurn,
};

interface TurnHooksProps {
  /** Runs that stand at one place of the turn. */
  readonly hooks: readonly HookRun[];
  readonly foldKey: string;
}

/** Hook runs at one position of a turn: a line, and folded below it each run with its output. */
export function TurnHooks({ hooks, foldKey }: TurnHooksProps) {
  const runs = hooks.map(({ run }) => run);
  const worst = runs.find(({ status }) => status !== "completed" && status !== "running");
  const status = statusOf(runs, worst);
  const took = runs.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  return (
    <Activity
      icon={Webhook}
      title={runs.length === 1 ? threadWords.hook : plural(runs.length, "hook")}
      detail={detailOf(runs, worst)}
      status={status}
      statusText={worst === undefined ? null : (words[worst.status] ?? worst.status)}
      facts={took >= 1000 ? [formatDuration(took)] : []}
      foldKey={foldKey}
    >
      <ul className="thread-hooks">
        {runs.map((run) => (
          <Run key={`${run.id} ${run.startedAt}`} run={run} />
        ))}
      </ul>
    </Activity>
  );
}

function Run({ run }: { readonly run: HookRunSummary }) {
  const { cwd } = useItemContext();
  return (
    <li>
      <p className="thread-hook">
        <span>{occasion(run)}</span>
        <code title={run.sourcePath}>{revealed(relativePath(run.sourcePath, cwd))}</code>
        <span className="thread-hook-facts">
          <span className={`thread-hook-${run.status}`}>{words[run.status] ?? run.status}</span>
          {run.durationMs != null && ` ${formatDuration(run.durationMs)}`}
        </span>
      </p>
      {run.entries.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what a hook said has no other name
        <p key={index} className="thread-hook-output">
          <span>{humanName(kind)}</span>
          {clipped(revealed(text), 4000)}
        </p>
      ))}
    </li>
  );
}

function statusOf(runs: readonly HookRunSummary[], worst: HookRunSummary | undefined): ActivityStatus {
  if (worst !== undefined) return worst.status === "failed" ? "failed" : "declined";
  return runs.some(({ status }) => status === "running") ? "running" : "done";
}

/** The failed hook's own words, else the runs' status messages, else their events. */
function detailOf(runs: readonly HookRunSummary[], worst: HookRunSummary | undefined): string {
  const text = worst?.entries[0]?.text ?? "";
  if (text !== "") return clipped(text.replace(/\s+/g, " "), 160);
  const running = runs.find(({ status, statusMessage }) => status === "running" && statusMessage);
  if (running?.statusMessage) return clipped(running.statusMessage, 160);
  return [...new Set(runs.map(occasion))].join(", ");
}

const occasion = ({ eventName }: HookRunSummary): string =>
  Object.hasOwn(occasions, eventName) ? occasions[eventName] : humanName(eventName).toLowerCase();
