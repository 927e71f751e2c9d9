import type { HooksListEntry } from "@quire/protocol";
import { ConfigError } from "../config/effective-config.ts";
import { findHooks } from "../hooks/find-hooks.ts";
import { wireHook } from "../hooks/hook.ts";
import { pluginHooks } from "../plugins/contents.ts";
import { enabledPlugins } from "../plugins/installed.ts";
import type { Handlers } from "../processor.ts";
import type { ServerContext } from "../server-context.ts";
import { coreOf } from "../thread/core.ts";

/** Hooks: commands of the user's that run at points of a turn. */
export const handlers: Handlers = {
  "hooks/list": ({ cwds }, { server }) => ({
    data: (cwds?.length ? cwds : [process.cwd()]).map((cwd) => entry(server, cwd)),
  }),
};

function entry(server: ServerContext, cwd: string): HooksListEntry {
  try {
    return found(server, cwd);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { cwd, hooks: [], warnings: [], errors: [{ path: cwd, message: error.message }] };
  }
}

function found(server: ServerContext, cwd: string): HooksListEntry {
  const core = coreOf(server);
  const { folders, raw, requirements } = core.config.resolve({ cwd });
  const plugins = enabledPlugins(server.home, raw).flatMap((plugin) => pluginHooks(plugin) ?? []);
  const { layers } = core.config.read({ cwd });
  const { hooks, warnings } = findHooks({ layers, folders, home: server.home, plugins, requirements });
  return { cwd, hooks: hooks.map(wireHook), warnings: [...warnings], errors: [] };
}
