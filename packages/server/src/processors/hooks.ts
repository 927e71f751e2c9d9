import type { HooksListEntry } from "@quire/protocol";
import { ConfigError } from "../config/config-error.ts";
import { refusalOf } from "../config/trust/refuse-program.ts";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { coreOf } from "../features/open-core.ts";
import { findHooks } from "../hooks/find-hooks.ts";
import { type FoundHooks, type Hook, wireHook } from "../hooks/hook.ts";
import { pluginHooks } from "../plugins/contents.ts";
import { enabledPlugins } from "../plugins/installed.ts";

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
  const { config } = coreOf(server);
  const { hooks, warnings } = findAll(server, cwd);
  const shown = hooks.map((hook) => {
    const { command, env, trustStatus } = hook;
    const program = { command, env };
    // A hook is what it runs: a script that has changed since makes it another.
    const changed = trustStatus === "trusted" && refusalOf(config, { cwd, program, startsIn: cwd }) !== undefined;
    return wireHook(changed ? { ...hook, trustStatus: "modified" } : hook);
  });
  return { cwd, hooks: shown, warnings: [...warnings], errors: [] };
}

function findAll(server: ServerContext, cwd: string): FoundHooks {
  const core = coreOf(server);
  const { folders, raw, requirements } = core.config.resolve({ cwd });
  const plugins = enabledPlugins(server.home, raw).flatMap((plugin) => pluginHooks(plugin) ?? []);
  const { layers } = core.config.read({ cwd });
  return findHooks({ layers, folders, home: server.home, plugins, requirements });
}

/** The hooks that are set up for a folder; none where its configuration cannot be used. */
export function hooksOf(server: ServerContext, cwd: string): readonly Hook[] {
  try {
    return findAll(server, cwd).hooks;
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}
