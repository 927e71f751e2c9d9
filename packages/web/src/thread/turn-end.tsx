import type { TurnState } from "@quire/client/view";
import { Undo2 } from "lucide-react";
import { useMemo } from "react";
import { turnFiles } from "../items/diff/turn-files.ts";
import { formatDuration } from "../items/format.ts";
import { useItemContext } from "../items/item-context.ts";
import type { ThreadState } from "../state/model.ts";
import { costOf, dollars, usePrices } from "../state/prices.ts";
import { IconButton } from "../ui/index.ts";
import { threadWords, undoWords } from "../words/words.ts";
import { TurnDiff } from "./turn-diff.tsx";
import { TurnError } from "./turn-error.tsx";
import { usageDetails, usageText } from "./turn-usage.ts";
import { ConnectionLost, Working } from "./working.tsx";

interface TurnEndProps {
  readonly turn: TurnState;
  readonly items: ThreadState["items"];
  /** The model whose price counts. */
  readonly model: string | null;
  /** The turn waits for an answer of the user. */
  readonly waiting: boolean;
  /** The server is there: what it does is seen. */
  readonly connected: boolean;
}

const words: Readonly<Record<string, string>> = {
  completed: threadWords.done,
  interrupted: threadWords.stopped,
  failed: threadWords.failed,
};

/** A turn that nobody stopped has no end: its server was gone before. */
const wasCutOff = ({ status, startedAt, completedAt }: TurnState): boolean =>
  status === "interrupted" && startedAt !== null && completedAt === null;

/** The line below a turn: how it ended, how long it took, what it cost and what it changed. */
export function TurnEnd({ turn, items, model, waiting, connected }: TurnEndProps) {
  const prices = usePrices();
  const { undo } = useItemContext();
  const ended = turn.status !== "inProgress";
  // The items of a turn that ended stay as they are.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table is another object whenever any turn changes
  const files = useMemo(() => (ended ? turnFiles(turn, items) : []), [ended, turn]);
  const usage = turn.spent !== null && turn.spent.totalTokens > 0 ? turn.spent : null;
  const cost = usage === null || model === null ? null : costOf(usage, prices[model]);
  const duration = turn.durationMs ?? between(turn.startedAt, turn.completedAt);
  if (!ended && !connected) return <ConnectionLost />;
  if (!ended) return <Working startedAt={turn.startedAt} waiting={waiting} />;
  const cutOff = wasCutOff(turn);
  return (
    <div className={`thread-end thread-end-${turn.status}`}>
      {turn.error != null && turn.status === "failed" && <TurnError error={turn.error} />}
      {files.length > 0 && <TurnDiff files={files} diff={turn.diff || null} foldKey={`diff ${turn.id}`} />}
      <div className="thread-divider" data-turn={turn.id}>
        <span className="thread-divider-text">
          <span>{cutOff ? threadWords.cutOff : (words[turn.status] ?? turn.status)}</span>
          {duration !== null && <span>{formatDuration(duration)}</span>}
          {usage !== null && <span title={usageDetails(usage)}>{usageText(usage)}</span>}
          {cost !== null && <span>{dollars(cost)}</span>}
          {turn.completedAt !== null && <time dateTime={iso(turn.completedAt)}>{clock(turn.completedAt)}</time>}
        </span>
        {undo != null && (
          <IconButton
            className="thread-undo"
            label={undoWords.turn}
            icon={<Undo2 size={14} />}
            onClick={() => undo(turn.id)}
          />
        )}
      </div>
      {cutOff && <p className="thread-cut-off">{threadWords.serverEndedDuringTurnSend}</p>}
    </div>
  );
}

const between = (from: number | null, to: number | null): number | null =>
  from === null || to === null ? null : (to - from) * 1000;

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** The time; for another day also the date. */
function clock(seconds: number): string {
  const date = new Date(seconds * 1000);
  const time = date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  const today = date.toDateString() === new Date().toDateString();
  return today ? time : `${date.toLocaleDateString(undefined, { day: "numeric", month: "short" })}, ${time}`;
}
