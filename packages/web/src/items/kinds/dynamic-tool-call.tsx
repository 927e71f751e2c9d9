import { Wrench } from "lucide-react";
import { itemDuration } from "../item-duration.ts";
import type { ItemProps } from "../item-props.ts";
import { ToolCall } from "../tool-call.tsx";
import { ToolContent } from "../tool-content.tsx";
import { toolStatus } from "../tool-status.ts";

/** A call of a tool that a client offers. */
export function DynamicToolCall({ item, state, waiting }: ItemProps<"dynamicToolCall">) {
  const failed = item.success === false;
  return (
    <ToolCall
      icon={Wrench}
      from={item.namespace ?? null}
      tool={item.tool}
      status={failed ? "failed" : toolStatus(item.status, state.done, waiting)}
      facts={itemDuration(state, item.durationMs)}
      input={item.arguments}
      progress={state.done ? null : state.progress}
      error={null}
      foldKey={item.id}
    >
      {item.contentItems != null && <ToolContent parts={item.contentItems} foldKey={`${item.id}/result`} />}
    </ToolCall>
  );
}
