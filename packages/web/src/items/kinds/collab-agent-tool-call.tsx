import { Bot } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity } from "../activity.tsx";
import { clipped, humanName } from "../format.ts";
import { itemDuration } from "../item-duration.ts";
import type { ItemProps } from "../item-props.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { ThreadLink } from "../thread-link.tsx";
import { toolStatus } from "../tool-status.ts";

const titles: Readonly<Record<string, readonly [running: string, done: string]>> = {
  spawnAgent: [itemWords.startingAgent, itemWords.startedAgent],
  sendInput: [itemWords.writingAgent, itemWords.wroteAgent],
  sendMessage: [itemWords.writingAgent, itemWords.wroteAgent],
  followupTask: [itemWords.givingAgentAnotherTask, itemWords.gaveAgentAnotherTask],
  resumeAgent: [itemWords.resumingAgent, itemWords.resumedAgent],
  wait: [itemWords.waitingAgents, itemWords.waitedAgents],
  closeAgent: [itemWords.closingAgent, itemWords.closedAgent],
  interruptAgent: [itemWords.interruptingAgent, itemWords.interruptedAgent],
  listAgents: [itemWords.listingAgents, itemWords.listedAgents],
};

const statuses: Readonly<Record<string, string>> = {
  pendingInit: itemWords.starting,
  errored: itemWords.failed,
  shutdown: itemWords.closed,
};

/** A call to sub-agents, with a link to the thread and status of each. */
export function CollabAgentToolCall({ item, state }: ItemProps<"collabAgentToolCall">) {
  const states = Object.entries(item.agentsStates ?? {});
  const receivers = item.receiverThreadIds ?? [];
  const ids = [...new Set([...receivers, ...states.map(([id]) => id)])];
  const prompt = item.prompt?.trim() ?? "";
  const status = toolStatus(item.status, state.done);
  return (
    <div className="items-collab">
      <Activity
        icon={Bot}
        title={titles[item.tool]?.[status === "running" ? 0 : 1] ?? humanName(item.tool)}
        detail={prompt === "" ? (item.model ?? undefined) : clipped(prompt.replace(/\s+/g, " "), 160)}
        status={status}
        facts={itemDuration(state)}
        foldKey={item.id}
      >
        {prompt !== "" && <Markdown text={prompt} foldKey={`${item.id}/prompt`} className="items-prose" />}
      </Activity>
      {ids.length > 0 && (
        <ul className="items-agents" aria-label={itemWords.agents}>
          {ids.map((id) => {
            const known = item.agentsStates?.[id];
            return (
              <li key={id}>
                <ThreadLink threadId={id} />
                {known !== undefined && (
                  <span className="items-faint">{statuses[known.status] ?? humanName(known.status)}</span>
                )}
                {known?.message != null && <span className="items-agent-message">{clipped(known.message, 300)}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
