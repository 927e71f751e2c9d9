import { join } from "node:path";
import type { ConfigLayer, HookSource } from "@quire/protocol";
import { maxBytes, maxProjectBytes, readConfigText } from "../config/config-files.ts";
import type { Requirements } from "../config/requirements.ts";
import { isDeep } from "../config/toml/toml.ts";
import { errorMessage } from "../lib/error-message.ts";
import { isTable, mergeTables, type Table } from "../lib/table.ts";
import type { FoundHooks, Hook, HookGroup } from "./hook.ts";
import { readHooks } from "./read-hooks.ts";

/** The sources of hooks. */
export interface HookPlaces {
  /** Strongest first. */
  readonly layers: readonly ConfigLayer[];
  /** Folders that may hold a `hooks.json`, weakest first: the home, then those of a trusted project. */
  readonly folders: readonly string[];
  readonly home: string;
  /** The administrator's hooks, and whether others may run. */
  readonly requirements?: Requirements | undefined;
  readonly plugins?: readonly HookGroup[] | undefined;
}

/** All hooks for a folder, in the order of lists. */
export function findHooks(places: HookPlaces): FoundHooks {
  const warnings: string[] = [];
  const hooks: Hook[] = [];
  const states = trustStates(places.layers);
  for (const group of groups(places, warnings))
    hooks.push(...readHooks(group, { states, warnings, from: hooks.length }));
  return { hooks, warnings, gone: goneHooks(states, places, hooks) };
}

function goneHooks(states: Table, { folders, home, requirements }: HookPlaces, hooks: readonly Hook[]): string[] {
  if (requirements?.managedHooksOnly) return [];
  const files = folders.filter((folder) => folder !== home).flatMap(hookFiles);
  const known = new Set(hooks.map(({ key }) => key));
  return Object.entries(states).flatMap(([key, state]) => {
    const counted = isTable(state) && typeof state.trusted_hash === "string" && state.enabled !== false;
    return counted && !known.has(key) && files.some((file) => key.startsWith(`${file}:`)) ? [key] : [];
  });
}

/** The files of a folder that may hold hooks. Keys of hooks begin with them. */
function hookFiles(folder: string): string[] {
  return [join(folder, "hooks.json"), join(folder, "config.toml")];
}

function* groups(places: HookPlaces, warnings: string[]): Generator<HookGroup> {
  const { layers, folders, home, plugins, requirements } = places;
  if (requirements) {
    const { path, hooks: events } = requirements;
    yield { keySource: path, path, source: "system", managed: true, events };
    if (requirements.managedHooksOnly) return;
  }
  const counting = layers.toReversed().filter((layer) => layer.disabledReason === undefined);
  for (const folder of folders) {
    const isHome = folder === home;
    const file = fromFile(join(folder, "hooks.json"), isHome ? "user" : "project", warnings);
    if (file) yield file;
    for (const { name, config } of counting) {
      const here = isHome ? name.type === "user" : name.type === "project" && name.dotCodexFolder === folder;
      if (!here || !isTable(config) || !isTable(config.hooks)) continue;
      const path = name.type === "user" ? name.file : join(folder, "config.toml");
      yield { keySource: path, path, source: isHome ? "user" : "project", events: config.hooks };
    }
  }
  for (const { name, config } of counting) {
    if (name.type !== "sessionFlags" || !isTable(config) || !isTable(config.hooks)) continue;
    const path = "/<session-flags>/config.toml";
    yield { keySource: path, path, source: "sessionFlags", events: config.hooks };
  }
  yield* plugins ?? [];
}

function fromFile(path: string, source: HookSource, warnings: string[]): HookGroup | undefined {
  try {
    const text = readConfigText(path, source === "project" ? maxProjectBytes : maxBytes);
    if (text === undefined) return undefined;
    const value: unknown = JSON.parse(text);
    if (isDeep(value)) throw new Error("its objects are nested too deeply");
    if (!isTable(value)) throw new Error("it is not an object");
    const unknown = Object.keys(value).find((key) => key !== "hooks" && key !== "description");
    if (unknown !== undefined) throw new Error(`unknown field \`${unknown}\``);
    return isTable(value.hooks) ? { keySource: path, path, source, events: value.hooks } : undefined;
  } catch (error) {
    warnings.push(`failed to parse hooks config ${path}: ${errorMessage(error)}`);
    return undefined;
  }
}

/** The user's decisions about single hooks. A project's own files do not count: they would trust themselves. */
function trustStates(layers: readonly ConfigLayer[]): Table {
  const own = layers.filter(({ name }) => name.type === "user" || name.type === "sessionFlags").toReversed();
  return own.reduce<Table>((below, { config }) => {
    const state = isTable(config) && isTable(config.hooks) ? config.hooks.state : undefined;
    return isTable(state) ? mergeTables(below, state) : below;
  }, {});
}
