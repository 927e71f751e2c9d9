import { join } from "node:path";
import type { ConfigLayer, ConfigLayerMetadata, ConfigLayerSource } from "@quire/protocol";
import { canonicalJson, isTable, leaves, mergeTables, type Table, valueAt } from "../lib/table.ts";
import { belowProject } from "./below-project.ts";
import { ConfigError } from "./config-error.ts";
import type { ConfigFile, ConfigFiles } from "./config-files.ts";
import type { Layer, LayerWarning } from "./layer.ts";
import { findProject, type Project } from "./project.ts";
import { projectLayers } from "./project-layers.ts";
import { withRestraints } from "./strictest-settings.ts";
import type { ProjectTrust } from "./trust/project-trust.ts";

/** All sources of the config for one folder. */
export interface Layers {
  /** Strongest first. */
  readonly list: readonly Layer[];
  /** All enabled layers in one table. */
  readonly merged: Table;
  readonly project: Project;
  /** Settings that are ignored, and why. */
  readonly warnings: readonly LayerWarning[];
}

/** From where layers are gathered. */
export interface LayerSources {
  readonly home: string;
  readonly files: ConfigFiles;
  readonly trust: ProjectTrust;
  readonly cwd: string;
  /** From the command line and the thread. */
  readonly overrides: Table;
}

/** Reads the layers for a folder: overrides, the project's files from the folder up, the profile, the user's file. */
export function gatherLayers({ home, files, trust, cwd, overrides }: LayerSources): Layers {
  const userPath = join(home, "config.toml");
  const userFile = files.read(userPath);
  const user: Layer = layer({ type: "user", file: userPath, profile: null }, userFile?.values ?? {}, {
    file: userFile,
  });
  const project = findProject(cwd, mergeTables(user.values, overrides));
  trust.seal(userFile, project);
  const { layers: own, warnings, lost } = projectLayers({ home, files, project, trust });
  const flags = Object.keys(overrides).length > 0 ? [layer({ type: "sessionFlags" }, overrides, {})] : [];
  const profile = profileLayer({ home, files, user, overrides });
  const list = [...flags, ...own.toReversed(), ...profile, user];
  const counting = list.filter((each) => each.disabledReason === undefined);
  const merged = counting.reduceRight<Table>((below, { source, values }) => {
    const weaker = source.type === "project" ? belowProject(below, values) : below;
    return mergeTables(weaker, values);
  }, {});
  if (lost === undefined) return { list, merged, project, warnings };
  const stronger = counting.filter(({ source }) => source.type === "sessionFlags" || source.type === "project");
  const held = withRestraints(merged, lost, Object.assign({}, ...stronger.map(({ values }) => values)));
  return { list, merged: held, project: { ...project, trust: undefined }, warnings };
}

/** The layers as `config/read` shows them. */
export function wireLayers(layers: Layers): ConfigLayer[] {
  return layers.list.map((each) => ({
    ...metadata(each),
    config: each.values,
    ...(each.disabledReason !== undefined && { disabledReason: each.disabledReason }),
  }));
}

/** For each value in force, by dotted path, the layer that it comes from. */
export function wireOrigins(layers: Layers): Record<string, ConfigLayerMetadata> {
  const origins: Record<string, ConfigLayerMetadata> = {};
  for (const each of layers.list) {
    if (each.disabledReason !== undefined) continue;
    let own: ConfigLayerMetadata | undefined;
    for (const [path] of leaves(each.values)) {
      const key = path.join(".");
      if (Object.hasOwn(origins, key)) continue;
      own ??= metadata(each);
      origins[key] = own;
    }
  }
  return origins;
}

/** The strongest layer that sets a value; `undefined` where none does. */
export function layerOf(layers: Layers, path: readonly string[]): Layer | undefined {
  return layers.list.find((each) => each.disabledReason === undefined && valueAt(each.values, path) !== undefined);
}

/** Names a layer for messages. */
export function layerName({ source }: Layer): string {
  if (source.type === "project") return join(source.dotCodexFolder, "config.toml");
  return source.type === "user" ? source.file : "command line or thread";
}

function metadata(each: Layer): ConfigLayerMetadata {
  return { name: each.source, version: versionOf(each.values) };
}

/** The version of settings, by which a writer proves what it has read. */
export function versionOf(values: Table): string {
  return `sha256:${new Bun.CryptoHasher("sha256").update(canonicalJson(values)).digest("hex")}`;
}

interface LayerExtras {
  readonly file?: ConfigFile | undefined;
  readonly disabledReason?: string | undefined;
}

function layer(source: ConfigLayerSource, values: Table, extras: LayerExtras): Layer {
  return { source, values, file: extras.file, disabledReason: extras.disabledReason };
}

interface ProfileContext {
  readonly home: string;
  readonly files: ConfigFiles;
  readonly user: Layer;
  readonly overrides: Table;
}

/** The chosen profile: `[profiles.NAME]` in the user's file, or a file `NAME.config.toml` beside it. */
function profileLayer({ home, files, user, overrides }: ProfileContext): Layer[] {
  const name = overrides.profile ?? user.values.profile;
  if (name === undefined) return [];
  const path = join(home, `${String(name)}.config.toml`);
  const table = valueAt(user.values, ["profiles", String(name)]);
  if (isTable(table)) {
    return [
      layer({ type: "user", file: join(home, "config.toml"), profile: String(name) }, table, { file: user.file }),
    ];
  }
  const safe = typeof name === "string" && /^[\w.-]+$/.test(name) && !name.startsWith(".");
  const file = safe ? files.read(path) : undefined;
  if (file) return [layer({ type: "user", file: path, profile: String(name) }, file.values, { file })];
  throw new ConfigError(
    `profile ${JSON.stringify(name)} is not defined: add [profiles.${String(name)}] to ${join(home, "config.toml")}, or a file ${path}.`,
  );
}
