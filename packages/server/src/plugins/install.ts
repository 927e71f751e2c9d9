import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeConfig } from "../config/write-config.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { checkOut } from "./check-out.ts";
import { cacheFolder } from "./installed.ts";
import { readManifest, within } from "./manifest.ts";
import { type Marketplace, type MarketplacePlugin, PluginProblem } from "./marketplace.ts";
import { unpackPackage } from "./unpack-package.ts";

/** The home of a server, and the environment for git and npm. */
export interface PluginHost {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The plugin of that name. Throws a {@link PluginProblem} where the marketplace has none. */
export function pluginOf(marketplace: Marketplace, name: string): MarketplacePlugin {
  const plugin = marketplace.plugins.find((each) => each.name === name);
  if (plugin) return plugin;
  throw new PluginProblem(`plugin \`${name}\` was not found in marketplace \`${marketplace.name}\``);
}

/** Puts a plugin into the cache and switches it on. All or nothing. */
export async function installPlugin(
  host: PluginHost,
  marketplace: Marketplace,
  name: string,
): Promise<MarketplacePlugin> {
  const plugin = pluginOf(marketplace, name);
  if (plugin.installPolicy === "NOT_AVAILABLE") {
    throw new PluginProblem(`plugin \`${name}\` is not available for install in marketplace \`${marketplace.name}\``);
  }
  const folder = cacheFolder(host.home, plugin.id);
  if (folder === undefined) throw new PluginProblem(`\`${plugin.id}\` is not a plugin id`);
  // Beside the cache, so that what is ready can be moved there at once.
  using staging = temporaryFolder(host.home, "plugins");
  const source = await fetched(host, plugin, staging.path);
  const manifest = readManifest(source);
  if (manifest === undefined) throw new PluginProblem("missing plugin.json");
  if (manifest.name !== name) throw new PluginProblem(`plugin.json names \`${manifest.name}\`, not \`${name}\``);
  const copy = join(staging.path, "copy");
  cpSync(source, copy, { recursive: true, filter: (path) => !path.split("/").includes(".git") });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  renameSync(copy, join(folder, safeVersion(manifest.version)));
  writeConfig(host.home, { edits: [{ keyPath: ["plugins", plugin.id, "enabled"], value: true, merge: false }] });
  return plugin;
}

/** Takes a plugin out of the cache and of the configuration. One that is not there is no problem. */
export function uninstallPlugin(home: string, id: string): void {
  const folder = cacheFolder(home, id);
  if (folder === undefined) throw new PluginProblem(`\`${id}\` is not a plugin id: expected NAME@MARKETPLACE`);
  rmSync(folder, { recursive: true, force: true });
  writeConfig(home, { edits: [{ keyPath: ["plugins", id], value: null, merge: false }] });
}

async function fetched({ env }: PluginHost, { source }: MarketplacePlugin, staging: string): Promise<string> {
  if (source.type === "local") return source.path;
  if (source.type === "npm") return unpackPackage(source, staging, env);
  if (source.type !== "git") throw new PluginProblem(`plugins from ${source.type} cannot be installed by this server`);
  const into = join(staging, "clone");
  await checkOut({ url: source.url, refName: source.refName ?? null, sha: source.sha, into }, env);
  const path = source.path ? within(into, source.path.startsWith("./") ? source.path : `./${source.path}`) : into;
  if (path === undefined)
    throw new PluginProblem(`the path ${source.path} leads out of the repository; use one inside`);
  return path;
}

const safeVersion = (version: string | null): string =>
  version !== null && /^[A-Za-z0-9._+-]+$/.test(version) && !/^\.+$/.test(version) ? version : "local";
