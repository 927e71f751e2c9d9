import { FoldVertical } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import type { ItemProps } from "../item-props.ts";
import { Marker } from "../marker.tsx";

/** The agent's memory of the thread was replaced by a summary. */
export function ContextCompaction({ state }: ItemProps<"contextCompaction">) {
  return (
    <Marker
      icon={FoldVertical}
      title={state.done ? itemWords.contextCompacted : itemWords.compactingContext}
      detail={state.done ? itemWords.agentGoesSummaryAbove : ""}
    />
  );
}
