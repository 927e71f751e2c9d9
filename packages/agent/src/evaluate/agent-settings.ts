import type { Clock } from "../clock.ts";
import type { Logger } from "../logger.ts";
import type { FullClientConfig } from "./client-config.ts";
import type { AgentModelConfig } from "./model-config.ts";

/** What an agent is made of, checked and filled in. */
export interface AgentSettings {
  readonly client: FullClientConfig;
  readonly model: AgentModelConfig;
  readonly clock: Clock;
  readonly logger: Logger;
}
