import type { PriceTable } from "@quire/client/guards";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { AgentHooks } from "./agent-hooks.ts";
import type { FullClientConfig } from "./client-config.ts";
import type { AgentModelConfig } from "./model-config.ts";

/** The settings of an agent, checked and with defaults. */
export interface AgentSettings {
  readonly client: FullClientConfig;
  readonly model: AgentModelConfig;
  readonly hooks: AgentHooks;
  readonly prices: PriceTable | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}
