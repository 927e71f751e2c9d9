import { isSwitchedOff } from "../../config/feature-flags.ts";
import { service } from "../../context/services.ts";
import type { Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import { agentTools } from "./agent-tools.ts";
import { closeAgent, maySpawn } from "./agents.ts";
import { childrenOf } from "./tree.ts";

const groups = service((thread: Thread) => [agentTools(thread)]);

/** Lets the model work through agents, which end with their thread. */
export const agents: Feature<Thread> = {
  groups: (thread) =>
    isSwitchedOff(thread.config.raw, "multi_agent") || !maySpawn(thread) ? [] : thread.services.get(groups),
  closing: async (thread) => {
    for (const child of childrenOf(thread)) await closeAgent(child);
  },
};
