import type { MarketplaceLoadErrorInfo, PluginMarketplaceEntry, PluginSummary } from "@quire/protocol";
import { isSwitchedOff } from "../config/feature-flags.ts";
import { errorMessage } from "../lib/error-message.ts";
import { isTable, ownValue, type Table } from "../lib/table.ts";
import { repositoryRoot } from "../workspace-files/real-path.ts";
import { marketplaceRoot, marketplaces } from "./add-marketplace.ts";
import type { PluginHost } from "./install.ts";
import { installedRoot, withManifest } from "./installed.ts";
import { bareInterface } from "./manifest.ts";
import { type Marketplace, type MarketplacePlugin, marketplaceFile, readMarketplace } from "./marketplace.ts";

/** Marketplaces, and those that could not be read. */
export interface FoundMarketplaces {
  readonly marketplaces: readonly Marketplace[];
  readonly errors: MarketplaceLoadErrorInfo[];
}

/** The marketplaces that are known: the user's own, those that were added, and those around the given folders. */
export function findMarketplaces({ home, env }: PluginHost, raw: Table, cwds: readonly string[]): FoundMarketplaces {
  if (isSwitchedOff(raw, "plugins")) return { marketplaces: [], errors: [] };
  const added = Object.entries(marketplaces(home)).map(([name, row]) => marketplaceRoot(home, name, row));
  const own = env.HOME ? marketplaceFile(env.HOME) : undefined;
  const paths = new Set([own, ...added.map((root) => root && marketplaceFile(root)), ...cwds.map(around)]);
  const found: Marketplace[] = [];
  const errors: MarketplaceLoadErrorInfo[] = [];
  for (const path of paths) {
    if (path === undefined) continue;
    try {
      found.push(readMarketplace(path));
    } catch (error) {
      errors.push({ marketplacePath: path, message: errorMessage(error) });
    }
  }
  return { marketplaces: found, errors };
}

function around(folder: string): string | undefined {
  const root = repositoryRoot(folder);
  return marketplaceFile(folder) ?? (root === undefined ? undefined : marketplaceFile(root));
}

/** A marketplace as the wire shows it, with those of its plugins that are wanted. */
export function wireMarketplace(
  { name, path, displayName, plugins }: Marketplace,
  summary: (plugin: MarketplacePlugin) => PluginSummary,
  wanted: (summary: PluginSummary) => boolean = () => true,
): PluginMarketplaceEntry {
  return {
    name,
    path,
    interface: displayName === null ? null : { displayName },
    plugins: plugins.map(summary).filter(wanted),
  };
}

/** A plugin as lists show it. */
export function wireSummary(home: string, raw: Table, plugin: MarketplacePlugin): PluginSummary {
  const { manifest, category } = withManifest(home, plugin);
  const installed = installedRoot(home, plugin.id) !== undefined;
  const row = isTable(raw.plugins) ? ownValue(raw.plugins, plugin.id) : undefined;
  const shown = manifest?.interface ?? (category === null ? null : bareInterface(category));
  return {
    id: plugin.id,
    remotePluginId: null,
    version: null,
    localVersion: manifest?.version ?? null,
    name: plugin.name,
    shareContext: null,
    source: plugin.source,
    installed,
    installedAt: null,
    enabled: installed && isTable(row) && row.enabled !== false,
    installPolicy: plugin.installPolicy,
    installPolicySource: null,
    mustShowInstallationInterstitial: null,
    authPolicy: plugin.authPolicy,
    availability: "AVAILABLE",
    disabledReason: null,
    eligiblePlanTypes: null,
    interface: shown && { ...shown, category: category ?? shown.category ?? null },
    keywords: [...(manifest?.keywords ?? [])],
  };
}

/** True when every word is in a plugin's name, descriptions or keywords. */
export function isFound({ name, interface: shown, keywords }: PluginSummary, term: string): boolean {
  const texts = [name, shown?.displayName, shown?.shortDescription, shown?.longDescription, ...(keywords ?? [])];
  const text = texts.join("\n").toLowerCase();
  const words = term
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return words.length > 0 && words.every((word) => text.includes(word));
}
