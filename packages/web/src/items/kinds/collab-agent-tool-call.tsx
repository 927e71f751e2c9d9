import { Bot } from "lucide-react";
import { Activity } from "../activity.tsx";
import { clipped, humanName } from "../format.ts";
import { itemDuration } from "../item-duration.ts";
import type { ItemProps } from "../item-props.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { ThreadLink } from "../thread-link.tsx";
import { toolStatus } from "../tool-status.ts";

const titles: Readonly<Record<string, readonly [running: string, done: string]>> = {
  spawnAgent: ["Starting agent", "Started agent"],
  sendInput: ["Writing to agent", "Wrote to agent"],
  sendMessage: ["Writing to agent", "Wrote to agent"],
  followupTask: ["Giving agent another task", "Gave agent another task"],
  resumeAgent: ["Resuming agent", "Resumed agent"],
  wait: ["Waiting for agents", "Waited for agents"],
  closeAgent: ["Closing agent", "Closed agent"],
  interruptAgent: ["Interrupting agent", "Interrupted agent"],
  listAgents: ["Listing agents", "Listed agents"],
};

const statuses: Readonly<Record<string, string>> = {
  pendingInit: "Starting",
  errored: "Failed",
  shutdown: "Closed",
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
        <ul className="items-agents" aria-label="Agents">
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
