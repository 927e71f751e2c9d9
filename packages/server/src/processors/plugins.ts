import type { PluginReadResponse } from "@quire/protocol";
import { isSwitchedOff } from "../config/feature-flags.ts";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { coreOf } from "../features/open-core.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import type { Table } from "../lib/table.ts";
import { addMarketplace, removeMarketplace, upgradeMarketplaces } from "../plugins/add-marketplace.ts";
import { hookSummaries, serverNames, skillSummaries } from "../plugins/contents.ts";
import { installPlugin, pluginOf, uninstallPlugin } from "../plugins/install.ts";
import { withManifest } from "../plugins/installed.ts";
import { findMarketplaces, isFound, wireMarketplace, wireSummary } from "../plugins/list-marketplaces.ts";
import { readMarketplace } from "../plugins/marketplace.ts";
import { resolveConfig } from "../thread/open-settings.ts";

const defaultPage = 50;

/** Plugins and the marketplaces that they come from: folders and git repositories. */
export const handlers: Handlers = {
  "plugin/list": ({ cwds }, { server }) => {
    const raw = rawOf(server);
    const { marketplaces, errors } = findMarketplaces(server, raw, cwds ?? []);
    const summary = summarizer(server, raw);
    return {
      marketplaces: marketplaces.map((each) => wireMarketplace(each, summary)),
      marketplaceLoadErrors: errors,
      featuredPluginIds: [],
    };
  },

  "plugin/installed": ({ cwds, installSuggestionPluginNames }, { server }) => {
    const raw = rawOf(server);
    const { marketplaces, errors } = findMarketplaces(server, raw, cwds ?? []);
    const suggested = new Set(installSuggestionPluginNames ?? []);
    const entries = marketplaces.map((each) =>
      wireMarketplace(each, summarizer(server, raw), ({ installed, name }) => installed || suggested.has(name)),
    );
    return { marketplaces: entries.filter(({ plugins }) => plugins.length > 0), marketplaceLoadErrors: errors };
  },

  "plugin/search": ({ searchTerm, cwds, cursor, limit, scope }, { server }) => {
    const raw = rawOf(server);
    const start = cursor ? Number(cursor) : 0;
    if (!Number.isInteger(start) || start < 0) throw invalidRequest(`invalid cursor: ${cursor}`);
    // Only a vendor's directory is shared with a workspace or with everybody.
    const { marketplaces } = scope ? { marketplaces: [] } : findMarketplaces(server, raw, cwds ?? []);
    const all = marketplaces.flatMap((each) =>
      each.plugins
        .map((plugin) => wireSummary(server.home, raw, plugin))
        .filter((plugin) => isFound(plugin, searchTerm))
        .map((plugin) => ({ plugin, marketplaceName: each.name, marketplacePath: each.path })),
    );
    const end = start + Math.max(1, limit ?? defaultPage);
    return { data: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
  },

  "plugin/read": ({ marketplacePath, pluginName, remoteMarketplaceName }, { server }) => {
    const path = localPath("plugin/read", { marketplacePath, remoteMarketplaceName }, "read");
    const raw = rawOf(server);
    if (isSwitchedOff(raw, "plugins")) throw invalidRequest("plugins feature is disabled");
    return read(server, raw, { path, pluginName });
  },

  "plugin/install": async ({ marketplacePath, pluginName, remoteMarketplaceName }, { server }) => {
    const path = localPath("plugin/install", { marketplacePath, remoteMarketplaceName }, "install");
    const { authPolicy } = await installPlugin(server, readMarketplace(path), pluginName);
    await changed(server);
    return { authPolicy, appsNeedingAuth: [] };
  },

  "plugin/uninstall": async ({ pluginId }, { server }) => {
    if (!pluginId.includes("@")) throw invalidRequest("remote plugin uninstall is not enabled");
    uninstallPlugin(server.home, pluginId);
    await changed(server);
    return {};
  },

  // The following methods use OpenAI's directory of plugins, for which this server has no account.
  "plugin/reconcile": () => ({
    changedPlugins: [],
    failedRemotePluginIds: [],
    failedMaterializationRemotePluginIds: [],
  }),
  "plugin/skill/read": ({ remoteMarketplaceName }) => {
    throw invalidRequest(`remote plugin skill read is not enabled for marketplace ${remoteMarketplaceName}`);
  },
  "plugin/share/save": notShared,
  "plugin/share/list": notShared,
  "plugin/share/checkout": notShared,
  "plugin/share/delete": notShared,
  "plugin/share/updateTargets": notShared,

  "marketplace/add": (params, { server }) => addMarketplace(server, params),

  "marketplace/remove": ({ marketplaceName }, { server }) => ({
    marketplaceName,
    installedRoot: removeMarketplace(server.home, marketplaceName),
  }),

  "marketplace/upgrade": ({ marketplaceName }, { server }) => upgradeMarketplaces(server, marketplaceName ?? null),
};

function notShared(): never {
  throw invalidRequest("plugin sharing is not enabled");
}

interface Place {
  readonly marketplacePath?: string | null | undefined;
  readonly remoteMarketplaceName?: string | null | undefined;
}

function localPath(method: string, { marketplacePath, remoteMarketplaceName }: Place, verb: string): string {
  if (Boolean(marketplacePath) === Boolean(remoteMarketplaceName)) {
    throw invalidRequest(`${method} requires exactly one of marketplacePath or remoteMarketplaceName`);
  }
  if (marketplacePath) return marketplacePath;
  throw invalidRequest(`remote plugin ${verb} is not enabled for marketplace ${remoteMarketplaceName}`);
}

function read(
  server: ServerContext,
  raw: Table,
  { path, pluginName }: { readonly path: string; readonly pluginName: string },
): PluginReadResponse {
  const marketplace = readMarketplace(path);
  const plugin = withManifest(server.home, pluginOf(marketplace, pluginName));
  const { manifest, root, id, name } = plugin;
  const here = manifest && root !== undefined ? { id, name, root, manifest } : undefined;
  return {
    plugin: {
      marketplaceName: marketplace.name,
      marketplacePath: path,
      summary: wireSummary(server.home, raw, plugin),
      shareUrl: null,
      description: manifest?.description ?? null,
      skills: here ? skillSummaries(here, { home: server.home, raw }) : [],
      onboardingSkill: null,
      hooks: here ? hookSummaries(here) : [],
      apps: [],
      appTemplates: [],
      mcpServers: manifest ? serverNames(manifest) : [],
      scheduledTasks: null,
    },
  };
}

const rawOf = (server: ServerContext): Table => resolveConfig(coreOf(server), process.cwd(), null).raw;

const summarizer =
  ({ home }: ServerContext, raw: Table) =>
  (plugin: Parameters<typeof wireSummary>[2]) =>
    wireSummary(home, raw, plugin);

/** Makes loaded threads use the current plugins. */
async function changed(server: ServerContext): Promise<void> {
  const { reloadServers } = await import("./mcp.ts");
  reloadServers(server);
}
