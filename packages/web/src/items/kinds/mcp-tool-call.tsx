import { Plug } from "lucide-react";
import { itemDuration } from "../item-duration.ts";
import type { ItemProps } from "../item-props.ts";
import { JsonView } from "../json-view.tsx";
import { ToolCall } from "../tool-call.tsx";
import { ToolContent } from "../tool-content.tsx";
import { toolStatus } from "../tool-status.ts";

/** A call of an MCP server's tool. */
export function McpToolCall({ item, state, waiting }: ItemProps<"mcpToolCall">) {
  const { result, appContext } = item;
  return (
    <ToolCall
      icon={Plug}
      from={appContext?.appName ?? item.server}
      tool={appContext?.actionName ?? item.tool}
      status={toolStatus(item.status, state.done, waiting)}
      facts={[...(item.readOnlyHint === true ? ["read-only"] : []), ...itemDuration(state, item.durationMs)]}
      input={item.arguments}
      progress={state.done ? null : state.progress}
      error={item.error?.message ?? null}
      foldKey={item.id}
    >
      {result != null && <ToolContent parts={result.content ?? []} foldKey={`${item.id}/result`} />}
      {result?.structuredContent != null && (
        <JsonView data={result.structuredContent} foldKey={`${item.id}/structured`} />
      )}
    </ToolCall>
  );
}
