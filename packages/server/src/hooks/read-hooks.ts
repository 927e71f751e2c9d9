import type { HookTrustStatus } from "@quire/protocol";
import { versionOf } from "../config/layers.ts";
import { isTable, ownValue, type Table } from "../lib/table.ts";
import type { Hook, HookGroup } from "./hook.ts";
import { type HookEvent, hookEvents, snakeName } from "./hook-events.ts";
import { matcherProblem } from "./hook-matcher.ts";

const defaultTimeoutSec = 600;
/** Tokens of context that need not be written down, being the default. */
export const defaultContextTokens = 2500;

interface Reading {
  /** The user's decisions by key. */
  readonly states: Table;
  readonly warnings: string[];
  /** Number of hooks found before. */
  readonly from: number;
}

/** The hooks of one source. Unusable ones are left out with a warning. */
export function readHooks(group: HookGroup, { states, warnings, from }: Reading): Hook[] {
  const hooks: Hook[] = [];
  for (const event of hookEvents) {
    const listed = group.events[event.name];
    for (const [groupIndex, entry] of (Array.isArray(listed) ? listed : []).entries()) {
      if (!isTable(entry)) continue;
      const matcher = event.matched && typeof entry.matcher === "string" ? entry.matcher : null;
      const problem = matcher === null ? undefined : matcherProblem(matcher);
      if (problem !== undefined) {
        warnings.push(`invalid matcher ${JSON.stringify(matcher)} in ${group.path}: ${problem}`);
        continue;
      }
      for (const [index, handler] of (Array.isArray(entry.hooks) ? entry.hooks : []).entries()) {
        const read = readHandler(handler, { event, group, warnings });
        if (read === undefined) continue;
        const key = `${group.keySource}:${snakeName(event)}:${groupIndex}:${index}`;
        const hash = hashOf(event, matcher, read);
        const currentHash = group.seal === undefined ? hash : `${hash}/${group.seal}`;
        const stored = ownValue(states, key);
        const state = isTable(stored) ? stored : {};
        hooks.push({
          key,
          event,
          matcher,
          command: withVariables(read.command, group.env ?? {}),
          tool: read.tool,
          async: read.async && event.maxTimeoutSec === undefined,
          timeoutSec: read.timeoutSec,
          statusMessage: read.statusMessage,
          contextLimit: read.contextLimit,
          sourcePath: group.path,
          source: group.source,
          pluginId: group.pluginId ?? null,
          env: group.env ?? {},
          displayOrder: from + hooks.length,
          enabled: group.managed === true || state.enabled !== false,
          currentHash,
          trustStatus: group.managed ? "managed" : trustStatus(currentHash, state.trusted_hash),
        });
      }
    }
  }
  return hooks;
}

type Handler = Pick<Hook, "command" | "tool" | "async" | "timeoutSec" | "statusMessage" | "contextLimit">;

interface Place {
  readonly event: HookEvent;
  readonly group: HookGroup;
  readonly warnings: string[];
}

function readHandler(value: unknown, { event, group, warnings }: Place): Handler | undefined {
  const skip = (why: string) => void warnings.push(`skipping a hook in ${group.path}: ${why}`);
  if (!isTable(value) || typeof value.type !== "string") return skip("it has no type");
  if (value.type !== "command" && value.type !== "mcp_tool")
    return skip(`hooks of type \`${value.type}\` are not run by this server; use "command" or "mcp_tool"`);
  const common = {
    timeoutSec: timeoutOf(value.timeout, { event, group, warnings }),
    statusMessage: typeof value.statusMessage === "string" ? value.statusMessage : null,
  };
  if (value.type === "mcp_tool") {
    const { server, tool, input } = value;
    if (typeof server !== "string" || typeof tool !== "string") return skip("it names no server and tool");
    const call = { server, tool, input: isTable(input) ? input : {} };
    return { ...common, command: "", tool: call, async: false, contextLimit: null };
  }
  if (typeof value.command !== "string" || value.command.trim() === "") {
    warnings.push(`skipping empty hook command in ${group.path}`);
    return undefined;
  }
  const limit = typeof value.additionalContextLimit === "number" ? value.additionalContextLimit : null;
  if (limit !== null && !event.adds) {
    warnings.push(`ignoring additionalContextLimit in ${group.path}: ${event.name} hooks add no context`);
  }
  return {
    ...common,
    command: value.command,
    tool: null,
    async: value.async === true,
    contextLimit: event.adds ? limit : null,
  };
}

function timeoutOf(value: unknown, { event, group, warnings }: Place): number {
  const given = typeof value === "number" ? value : undefined;
  const { maxTimeoutSec } = event;
  if (maxTimeoutSec === undefined) return Math.max(1, given ?? defaultTimeoutSec);
  if (given !== undefined && given > maxTimeoutSec) {
    warnings.push(`clamping ${event.name} hook timeout to ${maxTimeoutSec}s in ${group.path}`);
  }
  return Math.min(maxTimeoutSec, Math.max(1, given ?? 1));
}

/** The hash that a user trusts: everything that decides what runs, and when. The same in every file. */
function hashOf(event: HookEvent, matcher: string | null, handler: Handler): string {
  const { command, tool, timeoutSec, statusMessage, contextLimit } = handler;
  return versionOf({
    event_name: snakeName(event),
    ...(matcher !== null && { matcher }),
    hooks: [
      {
        ...(tool ? { type: "mcp_tool", ...tool } : { type: "command", command, async: handler.async }),
        timeout: timeoutSec,
        ...(statusMessage !== null && { statusMessage }),
        ...(contextLimit !== null && contextLimit !== defaultContextTokens && { additionalContextLimit: contextLimit }),
      },
    ],
  });
}

function trustStatus(currentHash: string, trusted: unknown): HookTrustStatus {
  if (typeof trusted !== "string") return "untrusted";
  return trusted === currentHash ? "trusted" : "modified";
}

function withVariables(command: string, env: Readonly<Record<string, string>>): string {
  return Object.entries(env).reduce((text, [name, value]) => text.replaceAll(`\${${name}}`, value), command);
}
