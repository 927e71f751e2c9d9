import { FoldVertical } from "lucide-react";
import type { ItemProps } from "../item-props.ts";
import { Marker } from "../marker.tsx";

/** The agent's memory of the thread was replaced by a summary. */
export function ContextCompaction({ state }: ItemProps<"contextCompaction">) {
  return (
    <Marker
      icon={FoldVertical}
      title={state.done ? "Context compacted" : "Compacting the context"}
      detail={state.done ? "the agent goes on with a summary of what is above" : ""}
    />
  );
}
