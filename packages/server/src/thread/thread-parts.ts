import type { EffectiveConfig } from "../config/effective-config.ts";
import type { ThreadRecord } from "../record/thread-record.ts";
import type { TurnSettings } from "../record/turn-settings.ts";
import type { Rollout } from "../store/thread-store.ts";

/** The parts of a loaded thread. */
export interface ThreadParts {
  readonly record: ThreadRecord;
  /** `null` for an ephemeral thread. */
  readonly rollout: Rollout | null;
  readonly settings: TurnSettings;
  readonly config: EffectiveConfig;
  readonly ephemeral: boolean;
}
