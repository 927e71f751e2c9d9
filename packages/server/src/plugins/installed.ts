import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isTable, type Table } from "../lib/table.ts";
import { type PluginManifest, readManifest } from "./manifest.ts";
import { isName, type MarketplacePlugin } from "./marketplace.ts";
import { mayHavePlugins } from "./may-have-plugins.ts";

/** A plugin that is there and switched on. */
export interface InstalledPlugin {
  /** `NAME@MARKETPLACE`. */
  readonly id: string;
  readonly name: string;
  readonly root: string;
  /** For files of its own. */
  readonly data: string;
  readonly manifest: PluginManifest;
}

/** The plugins that a configuration switches on and that are in the cache. */
export function enabledPlugins(home: string, raw: Table): InstalledPlugin[] {
  if (!mayHavePlugins(raw) || !isTable(raw.plugins)) return [];
  return Object.entries(raw.plugins).flatMap(([id, entry]) => {
    if (!isTable(entry) || entry.enabled === false) return [];
    const root = installedRoot(home, id);
    const manifest = root === undefined ? undefined : readManifest(root);
    if (root === undefined || manifest === undefined) return [];
    return [{ id, name: partsOf(id)?.name ?? "", root, data: join(home, "plugins", "data", id), manifest }];
  });
}

/** The folder of an installed plugin's newest version; `undefined` when it is not installed. */
export function installedRoot(home: string, id: string): string | undefined {
  const folder = cacheFolder(home, id);
  if (folder === undefined || !existsSync(folder)) return undefined;
  const versions = readdirSync(folder).filter((name) => !name.startsWith("."));
  const newest = versions.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  return newest === undefined ? undefined : join(folder, newest);
}

/** A marketplace's plugin with its manifest, which a remote plugin has once it is installed. */
export function withManifest(home: string, plugin: MarketplacePlugin): MarketplacePlugin & { readonly root?: string } {
  const { source, id } = plugin;
  const root = source.type === "local" ? source.path : installedRoot(home, id);
  const manifest = plugin.manifest ?? (root === undefined ? undefined : readManifest(root));
  return root === undefined || manifest === undefined ? plugin : { ...plugin, root, manifest };
}

/** The folder of a plugin's versions; `undefined` for an invalid id. */
export function cacheFolder(home: string, id: string): string | undefined {
  const parts = partsOf(id);
  return parts && join(home, "plugins", "cache", parts.marketplace, parts.name);
}

function partsOf(id: string): { readonly name: string; readonly marketplace: string } | undefined {
  const [name, marketplace, ...more] = id.split("@");
  return more.length === 0 && isName(name) && isName(marketplace) ? { name, marketplace } : undefined;
}
