import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { SkillSummary } from "@quire/protocol";
import { readServers, type ServerConfig } from "../config/mcp-config.ts";
import type { HookGroup } from "../hooks/hook.ts";
import { readHooks } from "../hooks/read-hooks.ts";
import { isTable, type Table } from "../lib/table.ts";
import { scanRoot } from "../skills/skill.ts";
import { FileCache } from "../workspace-files/file-cache.ts";
import type { InstalledPlugin } from "./installed.ts";
import { type PluginManifest, readPluginJson } from "./manifest.ts";

/** Files included in a plugin's hash. */
const maxHashed = 10_000;

/** A plugin's MCP servers. Their working folder is the plugin's. */
export function pluginServers({ id, root, manifest }: InstalledPlugin): ServerConfig[] {
  const rows = Object.entries(serverRows(manifest)).map(([name, row]) => [
    name,
    isTable(row) && row.command !== undefined && row.cwd === undefined ? { ...row, cwd: root } : row,
  ]);
  return readServers({ mcp_servers: Object.fromEntries(rows) }).map((server) => ({ ...server, pluginId: id }));
}

/** The names of a plugin's MCP servers. */
export function serverNames(manifest: PluginManifest): string[] {
  return Object.keys(serverRows(manifest)).sort();
}

function serverRows({ root, mcpServers }: PluginManifest): Table {
  const value = typeof mcpServers === "string" ? (readPluginJson(root, mcpServers) ?? {}) : mcpServers;
  return isTable(value.mcpServers) ? value.mcpServers : value;
}

/** A plugin's hooks, for {@link readHooks}; `undefined` where it has none. */
export function pluginHooks(
  plugin: Pick<InstalledPlugin, "id" | "root" | "manifest"> & { readonly data?: string },
): HookGroup | undefined {
  const { id, root, manifest, data = "" } = plugin;
  const { hooks } = manifest;
  const path = typeof hooks === "string" ? hooks : join(root, ".codex-plugin", "plugin.json");
  const value = typeof hooks === "string" ? (readPluginJson(root, hooks) ?? {}) : hooks;
  const events = isTable(value.hooks) ? value.hooks : value;
  if (Object.keys(events).length === 0) return undefined;
  return {
    keySource: `${id}:${relative(root, path)}`,
    path,
    source: "plugin",
    pluginId: id,
    env: { PLUGIN_ROOT: root, CLAUDE_PLUGIN_ROOT: root, PLUGIN_DATA: data, CLAUDE_PLUGIN_DATA: data },
    events,
    // A hook mostly runs other files of the plugin: trusting it covers them as they are.
    seal: contentHash(root),
  };
}

/** A plugin's hooks as `plugin/read` names them. */
export function hookSummaries(
  plugin: Pick<InstalledPlugin, "id" | "root" | "manifest">,
): { key: string; eventName: never }[] {
  const group = pluginHooks(plugin);
  const hooks = group ? readHooks(group, { states: {}, warnings: [], from: 0 }) : [];
  return hooks.map(({ key, event }) => ({ key, eventName: event.wire as never }));
}

/** A plugin's skills; their names begin with the plugin's. */
export function skillSummaries(
  { name, root, manifest }: Pick<InstalledPlugin, "name" | "root" | "manifest">,
  { home, raw }: { readonly home: string; readonly raw: Table },
): SkillSummary[] {
  const files = new FileCache({ home });
  const found = manifest.skillRoots.flatMap(
    (folder) => scanRoot(files, { folder, root: { path: root }, scope: "user", prefix: name }, raw).skills,
  );
  return found.map(({ name, description, shortDescription, extras, path, enabled }) => ({
    name,
    description,
    shortDescription,
    interface: extras.interface,
    path,
    enabled,
  }));
}

function contentHash(root: string): string {
  const hash = new Bun.CryptoHasher("sha256");
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const path of paths.slice(0, maxHashed)) {
    hash.update(`${relative(root, path)}\0`);
    hash.update(readFileSync(path));
  }
  return `sha256:${hash.digest("hex")}`;
}
