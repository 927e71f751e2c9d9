import { isSwitchedOff } from "../../config/feature-flags.ts";
import type { ThreadExtension } from "../../thread/extension.ts";
import type { Thread } from "../../thread/thread.ts";
import type { ToolGroup } from "../../tools/tool.ts";
import { agentTools } from "./agent-tools.ts";
import { childrenOf, closeAgent, maySpawn } from "./agents.ts";

/** Lets the model work through agents, which end with their thread. */
export function agents(thread: Thread): ThreadExtension {
  let made: readonly ToolGroup[] | undefined;
  const isOffered = () => !isSwitchedOff(thread.config.raw, "multi_agent") && maySpawn(thread);
  return {
    groups: () => {
      if (!isOffered()) return [];
      made ??= [agentTools(thread)];
      return made;
    },
    closing: async () => {
      for (const child of childrenOf(thread)) await closeAgent(child);
    },
  };
}
