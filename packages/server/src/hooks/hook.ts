import type { HookMetadata, HookSource, HookTrustStatus } from "@quire/protocol";
import type { Table } from "../lib/table.ts";
import type { HookEvent } from "./hook-events.ts";

/** A tool of an MCP server that is called in place of a command. */
export interface HookTool {
  readonly server: string;
  readonly tool: string;
  /** Arguments, in which `${…}` stands for values of the hook's input. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A command, or a call of a tool, that a user has set up to run at some point. */
export interface Hook {
  /** The key of the user's trust. */
  readonly key: string;
  readonly event: HookEvent;
  readonly matcher: string | null;
  /** Empty for a tool. */
  readonly command: string;
  readonly tool: HookTool | null;
  /** True when the turn does not wait. */
  readonly async: boolean;
  readonly timeoutSec: number;
  readonly statusMessage: string | null;
  /** Maximum tokens of context for the model; `null` for the default, 0 for no limit. */
  readonly contextLimit: number | null;
  readonly sourcePath: string;
  readonly source: HookSource;
  readonly pluginId: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly displayOrder: number;
  readonly enabled: boolean;
  readonly currentHash: string;
  readonly trustStatus: HookTrustStatus;
}

/** Hooks, and problems with them. */
export interface FoundHooks {
  readonly hooks: readonly Hook[];
  readonly warnings: readonly string[];
  /** Keys of trusted project hooks that are gone. */
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
  /** Prefix of the keys. */
  readonly keySource: string;
  readonly path: string;
  readonly source: HookSource;
  readonly pluginId?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** True for an administrator's hooks, which need no trust. */
  readonly managed?: boolean | undefined;
  /** A hash of further content that a hook depends on, covered by the same trust. */
  readonly seal?: string | undefined;
  readonly events: Table;
}
