import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { FullClientConfig } from "./client-config.ts";
import type { AgentModelConfig } from "./model-config.ts";

/** The settings of an agent, checked and with defaults. */
export interface AgentSettings {
  readonly client: FullClientConfig;
  readonly model: AgentModelConfig;
  readonly clock: Clock;
  readonly logger: Logger;
}
