import { join, resolve, sep } from "node:path";
import type { PluginInterface } from "@quire/protocol";
import { isTable, type Table } from "../lib/table.ts";
import { isFile, readTextIfAny } from "../workspace-files/read-file.ts";
import { within as inside } from "../workspace-files/root.ts";

/** A plugin's manifest with resolved paths. */
export interface PluginManifest {
  readonly root: string;
  readonly name: string;
  readonly version: string | null;
  readonly description: string | null;
  readonly keywords: readonly string[];
  readonly skillRoots: readonly string[];
  /** A file of MCP servers, or the servers themselves. */
  readonly mcpServers: string | Table;
  /** A file of hooks, or the hooks themselves; `null` for none. */
  readonly hooks: string | Table;
  readonly interface: PluginInterface | null;
}

const manifestPlaces = [".codex-plugin/plugin.json", ".claude-plugin/plugin.json"];

/** Starter prompts shown, and the length of one. */
const maxPrompts = 3;
const maxPromptLength = 512;

const maxBytes = 4 << 20;

/** Reads a plugin's manifest; `undefined` where there is none that can be read. */
export function readManifest(root: string): PluginManifest | undefined {
  const path = manifestPlaces.map((place) => join(root, place)).find((place) => isFile(place, inside(root)));
  const value = path === undefined ? undefined : readPluginJson(root, path);
  return value === undefined ? undefined : manifest(value, root);
}

/** A JSON object among a plugin's files; `undefined` for anything else, and for what leads out of the plugin. */
export function readPluginJson(root: string, path: string): Table | undefined {
  try {
    const value: unknown = JSON.parse(readTextIfAny(path, { ...inside(root), maxBytes }) ?? "");
    return isTable(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function manifest(value: Table, root: string): PluginManifest {
  const skills = Array.isArray(value.skills) ? value.skills : [value.skills ?? "./skills"];
  return {
    root,
    name: text(value.name) ?? root.split(sep).at(-1) ?? "",
    version: text(value.version),
    description: text(value.description),
    keywords: texts(value.keywords),
    skillRoots: skills.flatMap((path) => within(root, path) ?? []),
    mcpServers: isTable(value.mcpServers) ? value.mcpServers : (within(root, value.mcpServers ?? "./.mcp.json") ?? {}),
    hooks: isTable(value.hooks) ? value.hooks : (within(root, value.hooks ?? "./hooks/hooks.json") ?? {}),
    interface: isTable(value.interface) ? wireInterface(value.interface, root) : null,
  };
}

function wireInterface(value: Table, root: string): PluginInterface {
  const prompts = typeof value.defaultPrompt === "string" ? [value.defaultPrompt] : texts(value.defaultPrompt);
  const fitting = prompts.filter((prompt) => prompt !== "" && prompt.length <= maxPromptLength).slice(0, maxPrompts);
  return {
    displayName: text(value.displayName),
    shortDescription: text(value.shortDescription),
    longDescription: text(value.longDescription),
    developerName: text(value.developerName),
    category: text(value.category),
    capabilities: texts(value.capabilities),
    websiteUrl: text(value.websiteURL ?? value.websiteUrl),
    privacyPolicyUrl: text(value.privacyPolicyURL ?? value.privacyPolicyUrl),
    termsOfServiceUrl: text(value.termsOfServiceURL ?? value.termsOfServiceUrl),
    defaultPrompt: fitting.length > 0 ? fitting : null,
    brandColor: text(value.brandColor),
    composerIcon: within(root, value.composerIcon) ?? null,
    composerIconUrl: null,
    logo: within(root, value.logo) ?? null,
    logoDark: within(root, value.logoDark) ?? null,
    logoUrl: null,
    logoUrlDark: null,
    screenshots: texts(value.screenshots).flatMap((path) => within(root, path) ?? []),
    screenshotUrls: [],
  };
}

/** An interface with only a category, for a plugin without one. */
export function bareInterface(category: string): PluginInterface {
  return { ...wireInterface({}, "/"), category };
}

/** A path that a plugin or marketplace gives, `./` and on, made absolute; `undefined` for one that leads out of it. */
export function within(root: string, path: unknown): string | undefined {
  if (typeof path !== "string" || !path.startsWith("./")) return undefined;
  const resolved = resolve(root, path);
  return resolved === root || resolved.startsWith(root + sep) ? resolved : undefined;
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
