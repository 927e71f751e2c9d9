import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { MarketplaceAddParams, MarketplaceAddResponse, MarketplaceUpgradeResponse } from "@quire/protocol";
import { userConfig, writeConfig } from "../config/write-config.ts";
import { errorMessage } from "../lib/error-message.ts";
import { isTable, ownValue, type Table } from "../lib/table.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { checkOut, remoteCommit } from "./check-out.ts";
import type { PluginHost } from "./install.ts";
import { isName, marketplaceFile, PluginProblem, readMarketplace } from "./marketplace.ts";

type Source =
  | { readonly type: "local"; readonly path: string }
  | { readonly type: "git"; readonly url: string; readonly refName: string | null };

/** Makes a marketplace known, from a folder or from git. */
export async function addMarketplace(host: PluginHost, params: MarketplaceAddParams): Promise<MarketplaceAddResponse> {
  const source = sourceOf(params.source.trim(), params.refName ?? null, host.env.HOME);
  const sparsePaths = params.sparsePaths ?? [];
  if (source.type === "local") {
    if (sparsePaths.length > 0) throw new PluginProblem("sparse paths work only for git marketplaces; leave them out");
    return addLocal(host.home, source.path);
  }
  const known = Object.entries(marketplaces(host.home)).find(
    ([, row]) => row.source === source.url && (row.ref ?? null) === source.refName,
  );
  const root = known && cloneFolder(host.home, known[0]);
  if (known && root && existsSync(root)) return { marketplaceName: known[0], installedRoot: root, alreadyAdded: true };
  using staging = temporaryFolder(host.home, "plugins");
  const clone = join(staging.path, "clone");
  const commit = await checkOut({ ...source, sparsePaths, into: clone }, host.env);
  const name = nameOf(clone);
  const old = ownValue(marketplaces(host.home), name);
  if (old) throw new PluginProblem(`marketplace \`${name}\` is already added from a different source; remove it first`);
  const installedRoot = moveIn(host.home, name, clone);
  remember(host.home, name, {
    last_updated: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    last_revision: commit,
    source_type: "git",
    source: source.url,
    ...(source.refName !== null && { ref: source.refName }),
    ...(sparsePaths.length > 0 && { sparse_paths: [...sparsePaths] }),
  });
  return { marketplaceName: name, installedRoot, alreadyAdded: false };
}

/** Removes a marketplace and its clone. Plugins installed from it stay. */
export function removeMarketplace(home: string, name: string): string | null {
  const clone = isName(name) ? cloneFolder(home, name) : undefined;
  const isCloned = clone !== undefined && existsSync(clone);
  if (!isName(name) || (ownValue(marketplaces(home), name) === undefined && !isCloned)) {
    throw new PluginProblem(`marketplace \`${name}\` is not configured or installed`);
  }
  writeConfig(home, { edits: [{ keyPath: ["marketplaces", name], value: null, merge: false }] });
  if (!isCloned) return null;
  rmSync(clone, { recursive: true, force: true });
  return clone;
}

/** Brings marketplaces from git up to date: the named one, or all. */
export async function upgradeMarketplaces(host: PluginHost, name: string | null): Promise<MarketplaceUpgradeResponse> {
  const rows = Object.entries(marketplaces(host.home)).filter(
    ([each, row]) => row.source_type === "git" && (name === null || each === name),
  );
  if (name !== null && rows.length === 0)
    throw new PluginProblem(`marketplace \`${name}\` is not configured as a Git marketplace`);
  const upgradedRoots: string[] = [];
  const errors: MarketplaceUpgradeResponse["errors"] = [];
  for (const [marketplaceName, row] of rows) {
    try {
      const root = await upgrade(host, marketplaceName, row);
      if (root !== undefined) upgradedRoots.push(root);
    } catch (error) {
      errors.push({ marketplaceName, message: errorMessage(error) });
    }
  }
  return { selectedMarketplaces: rows.map(([each]) => each), upgradedRoots, errors };
}

/** The rows of `[marketplaces]` in the user's file. */
export function marketplaces(home: string): Readonly<Record<string, Table>> {
  const rows = userConfig(home).values.marketplaces;
  return Object.fromEntries(
    Object.entries(isTable(rows) ? rows : {}).filter((entry): entry is [string, Table] => isTable(entry[1])),
  );
}

/** The folder of a marketplace that is known. */
export function marketplaceRoot(home: string, name: string, row: Table): string | undefined {
  if (row.source_type === "local") return typeof row.source === "string" ? row.source : undefined;
  return isName(name) ? cloneFolder(home, name) : undefined;
}

async function upgrade(host: PluginHost, name: string, row: Table): Promise<string | undefined> {
  const url = String(row.source);
  const refName = typeof row.ref === "string" ? row.ref : null;
  const newest = await remoteCommit(url, refName, host.env);
  if (newest === row.last_revision && existsSync(cloneFolder(host.home, name))) return undefined;
  using staging = temporaryFolder(host.home, "plugins");
  const clone = join(staging.path, "clone");
  const sparsePaths = Array.isArray(row.sparse_paths) ? row.sparse_paths.map(String) : [];
  const commit = await checkOut({ url, refName, sparsePaths, into: clone }, host.env);
  if (nameOf(clone) !== name)
    throw new PluginProblem(`it is now named \`${nameOf(clone)}\`; remove it and add it again`);
  const root = moveIn(host.home, name, clone);
  remember(host.home, name, {
    last_updated: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    last_revision: commit,
  });
  return root;
}

function addLocal(home: string, path: string): MarketplaceAddResponse {
  const name = nameOf(path);
  const known = ownValue(marketplaces(home), name);
  if (known && known.source !== path)
    throw new PluginProblem(`marketplace \`${name}\` is already added from a different source; remove it first`);
  if (!known) remember(home, name, { source_type: "local", source: path });
  return { marketplaceName: name, installedRoot: path, alreadyAdded: known !== undefined };
}

function sourceOf(source: string, explicitRef: string | null, userHome: string | undefined): Source {
  if (source === "") throw new PluginProblem("marketplace source must not be empty");
  const isPath = /^(\/|\.\.?(\/|$)|~\/)/.test(source);
  const isUrl = /^(https?|ssh|file):\/\//.test(source) || /^git@.+:/.test(source);
  const cut = source.lastIndexOf("#") >= 0 ? source.lastIndexOf("#") : isPath || isUrl ? -1 : source.lastIndexOf("@");
  const base = cut < 0 ? source : source.slice(0, cut);
  const refName = explicitRef ?? (cut < 0 ? null : source.slice(cut + 1) || null);
  if (isPath) return localSource(base, refName, userHome);
  const trimmed = base.replace(/\/+$/, "");
  if (isUrl) {
    const url = trimmed.startsWith("https://github.com/") && !trimmed.endsWith(".git") ? `${trimmed}.git` : trimmed;
    return { type: "git", url, refName };
  }
  if (/^[\w.-]+\/[\w.-]+$/.test(base)) return { type: "git", url: `https://github.com/${base}.git`, refName };
  throw new PluginProblem(
    "invalid marketplace source format; expected owner/repo, a git URL, or a local marketplace path",
  );
}

function localSource(given: string, refName: string | null, userHome: string | undefined): Source {
  if (refName !== null) throw new PluginProblem("a ref works only for git marketplaces; leave it out");
  const path = given.startsWith("~/") && userHome ? join(userHome, given.slice(2)) : resolve(given);
  if (!existsSync(path)) {
    throw new PluginProblem("failed to resolve local marketplace source path: No such file or directory (os error 2)");
  }
  if (!statSync(path).isDirectory()) {
    throw new PluginProblem("local marketplace source must be a directory, not a file");
  }
  return { type: "local", path: realpathSync(path) };
}

function nameOf(root: string): string {
  const path = marketplaceFile(root);
  if (path === undefined) {
    throw new PluginProblem(
      `invalid marketplace file \`${root}\`: marketplace root does not contain a supported manifest`,
    );
  }
  return readMarketplace(path).name;
}

function moveIn(home: string, name: string, clone: string): string {
  const target = cloneFolder(home, name);
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(clone, target);
  return target;
}

const cloneFolder = (home: string, name: string): string => join(home, ".tmp", "marketplaces", name);

function remember(home: string, name: string, row: Readonly<Record<string, unknown>>): void {
  const edits = Object.entries(row).map(([key, value]) => ({
    keyPath: ["marketplaces", name, key],
    value,
    merge: false,
  }));
  writeConfig(home, { edits });
}
