import { CornerDownRight } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity } from "../activity.tsx";
import type { ItemProps } from "../item-props.ts";
import { ToolContent } from "../tool-content.tsx";

/** The output of one of the client's tools at the start of a turn. */
export function FunctionCallOutput({ item }: ItemProps<"functionCallOutput">) {
  const parts = typeof item.output === "string" ? [{ text: item.output }] : item.output;
  const name = item.namespace == null ? item.name : `${item.namespace} · ${item.name}`;
  return (
    <Activity icon={CornerDownRight} title={itemWords.toolOutput} detail={name} foldKey={item.id}>
      <ToolContent parts={parts ?? []} foldKey={`${item.id}/output`} />
    </Activity>
  );
}
