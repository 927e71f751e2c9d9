import type { ItemState } from "@quire/client/view";
import { memo } from "react";
import { AgentMessage, type MessagePart } from "./kinds/agent-message.tsx";
import { CollabAgentToolCall } from "./kinds/collab-agent-tool-call.tsx";
import { CommandExecution } from "./kinds/command-execution.tsx";
import { ContextCompaction } from "./kinds/context-compaction.tsx";
import { DynamicToolCall } from "./kinds/dynamic-tool-call.tsx";
import { FileChange } from "./kinds/file-change.tsx";
import { FunctionCallOutput } from "./kinds/function-call-output.tsx";
import { HookPrompt } from "./kinds/hook-prompt.tsx";
import { ImageGeneration } from "./kinds/image-generation.tsx";
import { ImageView } from "./kinds/image-view.tsx";
import "./items.css";
import { ItemBoundary } from "./item-boundary.tsx";
import { McpToolCall } from "./kinds/mcp-tool-call.tsx";
import { Plan } from "./kinds/plan.tsx";
import { Reasoning } from "./kinds/reasoning.tsx";
import { EnteredReviewMode, ExitedReviewMode } from "./kinds/review-mode.tsx";
import { Sleep } from "./kinds/sleep.tsx";
import { SubAgentActivity } from "./kinds/sub-agent-activity.tsx";
import { UnknownItem } from "./kinds/unknown-item.tsx";
import { UserMessage } from "./kinds/user-message.tsx";
import { WebSearch } from "./kinds/web-search.tsx";

interface ItemViewProps {
  readonly state: ItemState;
  /** The part of a long message. */
  readonly part?: MessagePart | undefined;
  /** A question about it waits for the user. */
  readonly waiting?: boolean | undefined;
  /** Its turn was stopped. */
  readonly stopped?: boolean | undefined;
}

/** The view of an item of any kind. Rendered again only when the item changed. */
export const ItemView = memo(
  function ItemView({ state, part, waiting, stopped }: ItemViewProps) {
    return (
      <ItemBoundary key={state.item.id} state={state}>
        {view({ state, part, waiting, stopped })}
      </ItemBoundary>
    );
  },
  (before, after) =>
    before.state === after.state &&
    before.waiting === after.waiting &&
    before.stopped === after.stopped &&
    before.part?.start === after.part?.start &&
    before.part?.end === after.part?.end,
);

function view({ state, part, waiting, stopped }: ItemViewProps) {
  const { item } = state;
  switch (item.type) {
    case "userMessage":
      return <UserMessage item={item} state={state} />;
    case "agentMessage":
      return <AgentMessage item={item} state={state} part={part} />;
    case "reasoning":
      return <Reasoning item={item} state={state} />;
    case "plan":
      return <Plan item={item} state={state} />;
    case "commandExecution":
      return <CommandExecution item={item} state={state} waiting={waiting} stopped={stopped} />;
    case "fileChange":
      return <FileChange item={item} state={state} waiting={waiting} />;
    case "mcpToolCall":
      return <McpToolCall item={item} state={state} waiting={waiting} />;
    case "dynamicToolCall":
      return <DynamicToolCall item={item} state={state} waiting={waiting} />;
    case "functionCallOutput":
      return <FunctionCallOutput item={item} state={state} />;
    case "collabAgentToolCall":
      return <CollabAgentToolCall item={item} state={state} />;
    case "subAgentActivity":
      return <SubAgentActivity item={item} state={state} />;
    case "webSearch":
      return <WebSearch item={item} state={state} />;
    case "imageView":
      return <ImageView item={item} state={state} />;
    case "imageGeneration":
      return <ImageGeneration item={item} state={state} />;
    case "enteredReviewMode":
      return <EnteredReviewMode item={item} state={state} />;
    case "exitedReviewMode":
      return <ExitedReviewMode item={item} state={state} />;
    case "contextCompaction":
      return <ContextCompaction item={item} state={state} />;
    case "sleep":
      return <Sleep item={item} state={state} />;
    case "hookPrompt":
      return <HookPrompt item={item} state={state} />;
    default:
      // Every kind of the protocol has its case: the compiler names one that is missing. A newer server may send others.
      return <UnknownItem item={item satisfies never} />;
  }
}
