import { join } from "node:path";
import type { PluginAuthPolicy, PluginInstallPolicy, PluginSource } from "@quire/protocol";
import { errorMessage } from "../lib/error-message.ts";
import { ClientFault } from "../lib/faults.ts";
import { isTable, type Table } from "../lib/table.ts";
import { isFile, readFile } from "../workspace-files/read-file.ts";
import { pathExists } from "../workspace-files/real-path.ts";
import { within as inside } from "../workspace-files/root.ts";
import { type PluginManifest, readManifest, within } from "./manifest.ts";
import { npmSource } from "./npm-source.ts";

/** A list of plugins that can be installed. */
export interface Marketplace {
  readonly name: string;
  readonly path: string;
  readonly root: string;
  readonly displayName: string | null;
  readonly plugins: readonly MarketplacePlugin[];
}

/** A plugin of a marketplace. */
export interface MarketplacePlugin {
  readonly name: string;
  /** `NAME@MARKETPLACE`. */
  readonly id: string;
  readonly source: PluginSource;
  readonly installPolicy: PluginInstallPolicy;
  readonly authPolicy: PluginAuthPolicy;
  readonly category: string | null;
  /** Known before the installation when the plugin is a local folder. */
  readonly manifest: PluginManifest | undefined;
}

/** A problem with a marketplace or plugin, for the client. */
export class PluginProblem extends ClientFault {
  override readonly name = "PluginProblem";
}

const maxBytes = 4 << 20;

const places = [
  ".agents/plugins/marketplace.json",
  ".agents/plugins/api_marketplace.json",
  ".claude-plugin/marketplace.json",
  ".cursor-plugin/marketplace.json",
];

/** The file of a marketplace in a folder; `undefined` where there is none. */
export function marketplaceFile(root: string): string | undefined {
  return places.map((place) => join(root, place)).find((path) => isFile(path, inside(root)));
}

/** Names of marketplaces and plugins become names of folders. */
export const isName = (value: unknown): value is string => typeof value === "string" && /^[A-Za-z0-9_-]+$/.test(value);

/** Reads a marketplace. Throws a {@link PluginProblem} for one that cannot be used; single plugins are left out. */
export function readMarketplace(path: string): Marketplace {
  if (!pathExists(path)) throw new PluginProblem(`marketplace file \`${path}\` does not exist`);
  const place = places.find((each) => path.endsWith(`/${each}`));
  if (place === undefined) throw invalid(path, "marketplace file is not in a supported location");
  const root = path.slice(0, -place.length - 1);
  const value = parse(path, root);
  if (!isName(value.name))
    throw invalid(path, "its name is missing or has other characters than letters, digits, - and _");
  const { name } = value;
  const plugins = Array.isArray(value.plugins) ? value.plugins.filter(isTable) : [];
  return {
    name,
    path,
    root,
    displayName:
      isTable(value.interface) && typeof value.interface.displayName === "string" ? value.interface.displayName : null,
    plugins: plugins.flatMap((each) => plugin(each, { root, marketplace: name }) ?? []),
  };
}

function parse(path: string, root: string): Table {
  try {
    const value: unknown = JSON.parse(readFile(path, { ...inside(root), maxBytes })?.bytes.toString("utf8") ?? "");
    if (isTable(value)) return value;
  } catch (error) {
    throw invalid(path, errorMessage(error));
  }
  throw invalid(path, "it is no object");
}

const invalid = (path: string, why: string) => new PluginProblem(`invalid marketplace file \`${path}\`: ${why}`);

function plugin(
  entry: Table,
  { root, marketplace }: { root: string; marketplace: string },
): MarketplacePlugin | undefined {
  const source = sourceOf(entry.source, root);
  if (!isName(entry.name) || source === undefined) return undefined;
  const policy = isTable(entry.policy) ? entry.policy : {};
  return {
    name: entry.name,
    id: `${entry.name}@${marketplace}`,
    source,
    installPolicy:
      policy.installation === "NOT_AVAILABLE" || policy.installation === "INSTALLED_BY_DEFAULT"
        ? policy.installation
        : "AVAILABLE",
    authPolicy: policy.authentication === "ON_USE" ? "ON_USE" : "ON_INSTALL",
    category: typeof entry.category === "string" ? entry.category : null,
    manifest: source.type === "local" ? readManifest(source.path) : undefined,
  };
}

function sourceOf(source: unknown, root: string): PluginSource | undefined {
  if (typeof source === "string") return local(root, source);
  if (!isTable(source)) return undefined;
  const text = (key: string) => (typeof source[key] === "string" ? source[key] : null);
  switch (source.source) {
    case "local":
      return local(root, source.path);
    case "url":
    case "git":
    case "git-subdir":
    case "github": {
      const repo = text("repo");
      const url = text("url") ?? (repo === null ? null : `https://github.com/${repo}.git`);
      return url === null
        ? undefined
        : { type: "git", url, path: text("path"), refName: text("ref"), sha: text("sha") };
    }
    case "npm":
      return npmSource(source);
    default:
      return undefined;
  }
}

function local(root: string, path: unknown): PluginSource | undefined {
  const folder = within(root, path);
  return folder === undefined ? undefined : { type: "local", path: folder };
}
