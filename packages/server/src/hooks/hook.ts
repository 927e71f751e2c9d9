import type { HookMetadata, HookSource, HookTrustStatus } from "@quire/protocol";
import type { Table } from "../lib/table.ts";
import type { HookEvent } from "./hook-events.ts";

/** A tool of an MCP server that is called in place of a command. */
export interface HookTool {
  readonly server: string;
  readonly tool: string;
  /** Arguments, in which `${…}` stands for what a hook is told. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A command, or a call of a tool, that a user has set up to run at some point. */
export interface Hook {
  /** Under which the user's trust in it is stored. */
  readonly key: string;
  readonly event: HookEvent;
  readonly matcher: string | null;
  /** Empty where a tool is called. */
  readonly command: string;
  readonly tool: HookTool | null;
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
  /** Keys of a project's hooks that the user trusted and that are no longer there. */
  readonly gone: readonly string[];
}

/** A hook as `hooks/list` shows it. */
export function wireHook(hook: Hook): HookMetadata {
  const { key, matcher, command, timeoutSec, statusMessage, sourcePath, source, pluginId } = hook;
  return {
    key,
    eventName: hook.event.wire,
    ...(hook.tool
      ? { handlerType: "mcpTool" as const, server: hook.tool.server, tool: hook.tool.tool }
      : { handlerType: "command" as const, command, async: hook.async }),
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

/** Hooks from one place. */
export interface HookGroup {
  /** How keys begin. */
  readonly keySource: string;
  readonly path: string;
  readonly source: HookSource;
  readonly pluginId?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Whether an administrator has set them up: then nobody's trust is needed. */
  readonly managed?: boolean | undefined;
  /** Stands for more that a hook depends on; who trusts it trusts that as well. */
  readonly seal?: string | undefined;
  /** Groups of handlers by event. */
  readonly events: Table;
}
