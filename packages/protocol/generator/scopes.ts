import type { ObjectSchema } from "./schema.ts";
import type { WireMethod } from "./surface.ts";

/** Order of requests. Mirrors `Scope` of the package's method table. */
export type Scope =
  | { readonly by: string; readonly until?: "started" }
  | { readonly shared: string; readonly until?: "started" }
  | null;

/** Params that name the thing a request acts on, most telling first; some only under one prefix. */
const keys: readonly (readonly [param: string, prefix: string])[] = [
  ["threadId", ""],
  ["processId", "command/"],
  ["processHandle", "process/"],
  ["watchId", "fs/"],
  ["sessionId", "fuzzyFileSearch/"],
  ["subscriptionId", "mcpServer/"],
  ["environmentId", "environment/"],
];

/** Method prefixes that act on one shared thing. The first that fits wins. */
const sharedThings: readonly (readonly [prefix: string, thing: string])[] = [
  ["modelProvider/config/", "config"],
  ["modelProvider/list", "config"],
  ["configRequirements/", "config"],
  ["config/", "config"],
  ["experimentalFeature/", "config"],
  ["externalAgentConfig/", "config"],
  ["skills/", "config"],
  ["hooks/", "config"],
  ["plugin/install", "config"],
  ["plugin/reconcile", "config"],
  ["plugin/uninstall", "config"],
  ["marketplace/", "config"],
  ["accountSession/", "account"],
  ["account/", "account"],
  ["userVerification/", "account"],
  ["getAuthStatus", "account"],
  ["project/", "project"],
  ["threadSection/", "threadSection"],
  ["memory/", "memory"],
  ["rollout/", "memory"],
  ["remoteControl/", "remoteControl"],
];

/** Prefixes whose methods need no order: what they read or write is named by a path, or they read what is there. */
const unorderedPrefixes: readonly string[] = ["fs/", "plugin/", "windowsSandbox/", "mock/"];

/** Methods that need no order: they read what is there, make something new, or ask a remote service, which may take long. */
const unordered = new Set([
  "collaborationMode/list",
  "fuzzyFileSearch",
  "getConversationSummary",
  "gitDiffToRemote",
  "initialize",
  "model/list",
  "modelProvider/capabilities/read",
  "permissionProfile/list",
  "server/diagnostics",
  "thread/attachmentOwner/list",
  "thread/list",
  "thread/loaded/list",
  "thread/sample/cancel",
  "thread/search",
  "thread/start",
  "account/rateLimits/read",
  "account/usage/read",
  "account/workspaceMessages/read",
  "account/sendAddCreditsNudgeEmail",
  "thread/realtime/listVoices",
]);

/**
 * They answer only when the work is done, which may never be. What follows in the same scope (a write to the process, an
 * interrupt of the turn) must run meanwhile, so they hold their scope only until they have begun.
 */
const answersLate = new Set([
  "account/gatewayOAuth/login",
  "command/exec",
  "externalAgentConfig/import",
  "feedback/upload",
  "mcpServer/event/stream/start",
  "mcpServer/resource/read",
  "mcpServer/tool/call",
  "mcpServerStatus/list",
  "plugin/install",
  "plugin/reconcile",
  "marketplace/add",
  "marketplace/upgrade",
  "thread/prediction/request",
  "thread/sample",
  "userVerification/enroll",
  "userVerification/verify",
]);

/** Derives the scope of a request from its params and its name. Throws where nothing here says how it is ordered. */
export function scopeOf(method: WireMethod, params: ObjectSchema | undefined): Scope {
  if (method.kind !== "clientRequest" || unordered.has(method.method)) return null;
  const until = answersLate.has(method.method) ? { until: "started" as const } : {};
  const key = keys.find(
    ([name, prefix]) => method.method.startsWith(prefix) && params?.properties?.[name] !== undefined,
  );
  if (key !== undefined) return { by: key[0], ...until };
  const shared = sharedThings.find(([prefix]) => method.method.startsWith(prefix));
  if (shared !== undefined) return { shared: shared[1], ...until };
  if (unorderedPrefixes.some((prefix) => method.method.startsWith(prefix))) return null;
  throw new Error(`nothing says how ${method.method} is ordered: see generator/scopes.ts`);
}
