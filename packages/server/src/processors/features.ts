import type { AppInfo, AppsListParams, AppsListResponse, ExperimentalFeature } from "@quire/protocol";
import { customProfiles } from "../config/custom-profiles.ts";
import { isSwitchedOff, isSwitchedOn } from "../config/feature-flags.ts";
import { permissionProfiles, profileMode } from "../config/permission-profiles.ts";
import type { Handlers, RequestScope } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { coreOf } from "../features/open-core.ts";
import { afterReply } from "../lib/after-reply.ts";
import { errorMessage } from "../lib/error-message.ts";
import { internalError, invalidRequest } from "../lib/rpc-errors.ts";
import { isTable, ownValue } from "../lib/table.ts";
import { resolveConfig } from "../thread/open-settings.ts";

/** Modes, permissions, features and apps to choose from. */
export const handlers: Handlers = {
  "collaborationMode/list": () => ({
    data: [
      { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
      { name: "Default", mode: "default", model: null, reasoning_effort: null },
    ],
  }),

  "permissionProfile/list": ({ cwd }, { server }) => {
    const modes = coreOf(server).config.requirements()?.sandboxModes ?? null;
    const isAllowed = (id: string) => modes === null || modes.includes(profileMode(id) ?? "read-only");
    const own = customProfiles(resolveConfig(coreOf(server), cwd ?? process.cwd(), null).raw);
    const data = [
      ...permissionProfiles.map((id) => ({ id, description: null, allowed: isAllowed(id) })),
      ...own.map(({ id, description }) => ({ id, description, allowed: true })),
    ];
    return { data, nextCursor: null };
  },

  "experimentalFeature/list": ({ cursor, limit, threadId }, { server }) => {
    const all = features(server, threadId ?? null);
    const start = cursor ? Number(cursor) : 0;
    if (!Number.isInteger(start) || start < 0) throw invalidRequest(`invalid cursor: ${cursor}`);
    const end = start + Math.max(1, limit ?? all.length);
    return { data: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
  },

  "experimentalFeature/enablement/set": ({ enablement }, { server }) => {
    const { config } = coreOf(server);
    const { raw } = config.resolve({ cwd: process.cwd() });
    const own = isTable(raw.features) ? raw.features : {};
    // The configuration wins; earlier switches can be changed again.
    const taken = Object.entries(enablement).filter(
      ([name]) => switchable.has(name) && (ownValue(own, name) === undefined || Object.hasOwn(config.features, name)),
    );
    config.features = { ...config.features, ...Object.fromEntries(taken) };
    return { enablement: Object.fromEntries(taken) };
  },

  // Apps are ChatGPT's connectors. Without an account there are none, as in Codex.
  "app/list": listApps,
  "app/installed": () => ({ apps: [] }),
  "app/read": ({ appIds }) => ({ apps: [], missingAppIds: [...appIds] }),
};

/** The apps of the account, in pages. Broadcasts the complete list once it is known. */
async function listApps({ cursor, limit }: AppsListParams, { server }: RequestScope): Promise<AppsListResponse> {
  const { account } = coreOf(server);
  if (account.mode === null || account.mode === "apikey") return { data: [], nextCursor: null };
  const { raw, provider } = resolveConfig(coreOf(server), process.cwd(), null);
  if (!provider.requiresOpenaiAuth || isSwitchedOff(raw, "apps")) return { data: [], nextCursor: null };
  const start = cursor ? Number(cursor) : 0;
  if (!Number.isInteger(start) || start < 0) throw invalidRequest(`invalid cursor: ${cursor}`);
  const [{ appDirectory }, { chatgptUrl }] = await Promise.all([
    import("../account/app-directory.ts"),
    import("../account/chatgpt-api.ts"),
  ]);
  let apps: readonly AppInfo[];
  try {
    apps = await appDirectory(account, chatgptUrl(raw));
  } catch (error) {
    throw internalError(`failed to list apps: ${errorMessage(error)}`);
  }
  const end = limit ? start + limit : apps.length;
  afterReply(() => server.broadcast("app/list/updated", { data: [...apps] }));
  return { data: apps.slice(start, end), nextCursor: end < apps.length ? String(end) : null };
}

/** Features that clients may switch while the server runs, as in Codex. */
const switchable: ReadonlySet<string> = new Set([
  "apps",
  "auth_elicitation",
  "memories",
  "mentions_v2",
  "plugins",
  "remote_control",
  "remote_plugin",
  "tool_suggest",
]);

/** The `[features]` switches of this server, with their defaults. */
const known = {
  apply_patch_streaming_events: false,
  current_time_reminder: false,
  exec_permission_approvals: false,
  goals: true,
  hooks: true,
  multi_agent: true,
  plugins: true,
  request_permissions_tool: false,
  shell_tool: true,
  view_image: true,
} as const;

/** Switches that Codex has declared deprecated. They still work. */
const deprecated: ReadonlySet<string> = new Set(["multi_agent"]);

/** Switches that are off by default, for users who try them: clients list them by these words. */
const offered: ReadonlyMap<string, readonly [name: string, description: string]> = new Map([
  [
    "apply_patch_streaming_events",
    ["Patches as they are written", "Show each file of a patch while the model writes it."],
  ],
  ["current_time_reminder", ["Time of day", "Tell the model the time as a thread goes on."]],
  ["exec_permission_approvals", ["Permissions for a command", "Let the model ask for more rights for one command."]],
  ["request_permissions_tool", ["Permissions for a turn", "Let the model ask for more rights until its turn ends."]],
]);

function features(server: ServerContext, threadId: string | null): ExperimentalFeature[] {
  const core = coreOf(server);
  const { raw } = threadId === null ? resolveConfig(core, process.cwd(), null) : core.threads.require(threadId).config;
  return Object.entries(known).map(([name, defaultEnabled]) => ({
    name,
    stage: deprecated.has(name) ? "deprecated" : defaultEnabled ? "stable" : "beta",
    displayName: offered.get(name)?.[0] ?? null,
    description: offered.get(name)?.[1] ?? null,
    announcement: offered.has(name) ? "" : null,
    enabled: defaultEnabled ? !isSwitchedOff(raw, name) : isSwitchedOn(raw, name),
    defaultEnabled,
  }));
}
