import { Brain } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity } from "../activity.tsx";
import { clipped } from "../format.ts";
import { itemDuration } from "../item-duration.ts";
import type { ItemProps } from "../item-props.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { OneLine } from "../markdown/one-line.tsx";

/** The agent's reasoning, folded to the last heading of its summary. Nothing where the server sends none. */
export function Reasoning({ item, state }: ItemProps<"reasoning">) {
  const summary = (item.summary ?? []).filter((part) => part.trim() !== "");
  const raw = (item.content ?? []).filter((part) => part.trim() !== "");
  const empty = summary.length === 0 && raw.length === 0;
  if (empty && state.done) return null;
  const title = headline(summary.at(-1));
  return (
    <Activity
      icon={Brain}
      title={state.done ? itemWords.thought : itemWords.thinking}
      detail={title === undefined ? undefined : <OneLine text={title} />}
      status={state.done ? "done" : "running"}
      facts={itemDuration(state)}
      foldKey={item.id}
    >
      {!empty && (
        <div className="items-prose items-reasoning">
          {summary.length > 0 && (
            <Markdown
              text={summary.join("\n\n")}
              live={!state.done && raw.length === 0}
              foldKey={`${item.id}/summary`}
            />
          )}
          {raw.length > 0 && <Markdown text={raw.join("\n\n")} live={!state.done} foldKey={`${item.id}/raw`} />}
        </div>
      )}
    </Activity>
  );
}

/** Summaries begin with a title in bold. */
function headline(summary: string | undefined): string | undefined {
  const first = summary?.trim().split("\n", 1)[0];
  if (first === undefined || first === "") return undefined;
  return clipped(first, 160);
}
