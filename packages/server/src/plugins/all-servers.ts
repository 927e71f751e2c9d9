import { readServers, type ServerConfig } from "../config/mcp-config.ts";
import type { Table } from "../lib/table.ts";
import { pluginServers } from "./contents.ts";
import { enabledPlugins } from "./installed.ts";

/** The MCP servers of a configuration and its plugins. For equal names the configuration's wins. */
export function allServers(home: string, raw: Table): ServerConfig[] {
  const rows = new Map<string, ServerConfig>();
  const ofPlugins = enabledPlugins(home, raw).flatMap(pluginServers);
  for (const row of [...ofPlugins, ...readServers(raw)]) rows.set(row.name, row);
  return [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
