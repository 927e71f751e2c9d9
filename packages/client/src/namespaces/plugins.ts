import { type Call, caller, type List } from "../calls/call.ts";
import type { ServerPort } from "../port/server-port.ts";

/** Plugins and the marketplaces that they come from. */
export interface Plugins {
  /** Lists the plugins of all marketplaces. */
  readonly list: Call<"plugin/list">;
  /** Finds plugins. Experimental. */
  readonly search: List<"plugin/search">;
  /** Lists what is installed. */
  readonly installed: Call<"plugin/installed">;
  /** Reads one plugin in full. */
  readonly read: Call<"plugin/read">;
  /** Reads one skill of a plugin. */
  readonly readSkill: Call<"plugin/skill/read">;
  /** Installs a plugin. */
  readonly install: Call<"plugin/install">;
  /** Removes a plugin. */
  readonly uninstall: Call<"plugin/uninstall">;
  /** Adds a marketplace. */
  readonly addMarketplace: Call<"marketplace/add">;
  /** Removes a marketplace. */
  readonly removeMarketplace: Call<"marketplace/remove">;
  /** Brings marketplaces up to date. */
  readonly upgradeMarketplace: Call<"marketplace/upgrade">;
}

/** The `plugins` group of a server. */
export function pluginsOf(port: ServerPort): Plugins {
  const { call, list } = caller(port);
  return {
    list: call("plugin/list"),
    search: list("plugin/search"),
    installed: call("plugin/installed"),
    read: call("plugin/read"),
    readSkill: call("plugin/skill/read"),
    install: call("plugin/install"),
    uninstall: call("plugin/uninstall"),
    addMarketplace: call("marketplace/add"),
    removeMarketplace: call("marketplace/remove"),
    upgradeMarketplace: call("marketplace/upgrade"),
  };
}
