import type { ExperimentalFeature } from "@quire/protocol";
import { isSwitchedOff, isSwitchedOn } from "../config/features.ts";
import { permissionProfiles } from "../config/permission-profiles.ts";
import type { Handlers } from "../processor.ts";
import { invalidRequest } from "../rpc-errors.ts";
import type { ServerContext } from "../server-context.ts";
import { coreOf } from "../thread/core.ts";
import { resolveConfig } from "../thread/open-settings.ts";

/** What can be chosen that is neither a model nor a thread's: modes, permissions, features, apps and plugins. */
export const handlers: Handlers = {
  "collaborationMode/list": () => ({
    data: [
      { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
      { name: "Default", mode: "default", model: null, reasoning_effort: null },
    ],
  }),

  "permissionProfile/list": () => ({
    data: permissionProfiles.map((id) => ({ id, description: null, allowed: true })),
    nextCursor: null,
  }),

  "experimentalFeature/list": ({ cursor, limit, threadId }, { server }) => {
    const all = features(server, threadId ?? null);
    const start = cursor ? Number(cursor) : 0;
    if (!Number.isInteger(start) || start < 0) throw invalidRequest(`invalid cursor: ${cursor}`);
    const end = start + Math.max(1, limit ?? all.length);
    return { data: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
  },

  // There is no place yet that this server would get apps or plugins from.
  "app/list": () => ({ data: [], nextCursor: null }),
  "plugin/list": () => ({ marketplaces: [], marketplaceLoadErrors: [], featuredPluginIds: [] }),
  "plugin/installed": () => ({ marketplaces: [], marketplaceLoadErrors: [] }),
};

/** The switches of `[features]` that this server looks at, and where they stand unless set. */
const known = {
  exec_permission_approvals: false,
  goals: true,
  multi_agent: true,
  request_permissions_tool: false,
  shell_tool: true,
  view_image: true,
} as const;

function features(server: ServerContext, threadId: string | null): ExperimentalFeature[] {
  const core = coreOf(server);
  const { raw } = threadId === null ? resolveConfig(core, process.cwd(), null) : core.threads.require(threadId).config;
  return Object.entries(known).map(([name, defaultEnabled]) => ({
    name,
    stage: defaultEnabled ? "stable" : "underDevelopment",
    displayName: null,
    description: null,
    announcement: null,
    enabled: defaultEnabled ? !isSwitchedOff(raw, name) : isSwitchedOn(raw, name),
    defaultEnabled,
  }));
}
