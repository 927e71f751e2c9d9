import type { HookMetadata, HookSource, HookTrustStatus } from "@quire/protocol";
import type { HookEvent } from "./hook-events.ts";

/** A command that a user has set up to run at some point. */
export interface Hook {
  /** Under which the user's trust in it is stored. */
  readonly key: string;
  readonly event: HookEvent;
  readonly matcher: string | null;
  readonly command: string;
  /** Whether the turn goes on meanwhile. */
  readonly async: boolean;
  readonly timeoutSec: number;
  readonly statusMessage: string | null;
  /** Tokens of context that the model is shown at most; `null` for the default, 0 for no limit. */
  readonly contextLimit: number | null;
  readonly sourcePath: string;
  readonly source: HookSource;
  readonly pluginId: string | null;
  /** Variables of its own. */
  readonly env: Readonly<Record<string, string>>;
  readonly displayOrder: number;
  readonly enabled: boolean;
  readonly currentHash: string;
  readonly trustStatus: HookTrustStatus;
}

/** What was found, and what could not be used. */
export interface FoundHooks {
  readonly hooks: readonly Hook[];
  readonly warnings: readonly string[];
}

/** A hook as `hooks/list` shows it. */
export function wireHook(hook: Hook): HookMetadata {
  const { key, matcher, command, timeoutSec, statusMessage, sourcePath, source, pluginId } = hook;
  return {
    key,
    eventName: hook.event.wire,
    handlerType: "command",
    command,
    async: hook.async,
    matcher,
    timeoutSec,
    statusMessage,
    additionalContextLimit: hook.contextLimit,
    sourcePath,
    source,
    pluginId,
    environmentId: null,
    displayOrder: hook.displayOrder,
    enabled: hook.enabled,
    isManaged: hook.trustStatus === "managed",
    currentHash: hook.currentHash,
    trustStatus: hook.trustStatus,
  };
}
