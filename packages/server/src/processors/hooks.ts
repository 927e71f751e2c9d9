import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HooksListEntry } from "@quire/protocol";
import type { Handlers } from "../processor.ts";
import type { ServerContext } from "../server-context.ts";
import { coreOf } from "../thread/core.ts";
import { resolveConfig } from "../thread/open-settings.ts";

/** Hooks: commands that run at points of a turn. This server runs none, and says so to who has set some up. */
export const handlers: Handlers = {
  "hooks/list": ({ cwds }, { server }) => ({
    data: (cwds?.length ? cwds : [process.cwd()]).map((cwd) => entry(server, cwd)),
  }),
};

function entry(server: ServerContext, cwd: string): HooksListEntry {
  const { raw } = resolveConfig(coreOf(server), cwd, null);
  const file = join(server.home, "hooks.json");
  const places = [
    ...(raw.hooks === undefined ? [] : ["`hooks` of the configuration"]),
    ...(existsSync(file) ? [file] : []),
  ];
  return {
    cwd,
    hooks: [],
    warnings: places.map((place) => `${place} is not used: this server runs no hooks`),
    errors: [],
  };
}
