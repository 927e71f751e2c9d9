import { Clock } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity } from "../activity.tsx";
import { formatDuration } from "../format.ts";
import type { ItemProps } from "../item-props.ts";

/** The agent waits for a while. */
export function Sleep({ item, state }: ItemProps<"sleep">) {
  return (
    <Activity
      icon={Clock}
      title={state.done ? itemWords.waited : itemWords.waiting}
      detail={formatDuration(item.durationMs)}
      status={state.done ? "done" : "running"}
      foldKey={item.id}
    />
  );
}
