import type { Table } from "../lib/table.ts";
import { serverNames } from "./contents.ts";
import { enabledPlugins } from "./installed.ts";

/** The model's description of a plugin that a user mentions; `undefined` when it is not installed. */
export function mentionedPlugin(home: string, raw: Table, path: string): string | undefined {
  const id = path.slice("plugin://".length);
  const plugin = enabledPlugins(home, raw).find((each) => each.id === id);
  if (plugin === undefined) return undefined;
  const { name, manifest } = plugin;
  const servers = serverNames(manifest);
  const has = [
    ...(manifest.skillRoots.length > 0 ? [`skills whose names begin with \`${name}:\``] : []),
    ...(servers.length > 0 ? [`tools of the MCP servers ${servers.map((each) => `\`${each}\``).join(", ")}`] : []),
  ];
  if (has.length === 0) return undefined;
  return `The user points to the plugin \`${manifest.interface?.displayName ?? name}\`. It brings ${has.join(" and ")}. Prefer them for this task.`;
}
