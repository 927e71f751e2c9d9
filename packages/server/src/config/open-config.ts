import { join } from "node:path";
import type { Config, ConfigLayer, ConfigLayerMetadata, Verbosity } from "@quire/protocol";
import { mergeTables, type Table } from "../lib/table.ts";
import { catalogueEntry, defaultOpenaiModel, fallbackContextWindow, offlineModel, usableWindow } from "./catalogue.ts";
import { ConfigError } from "./config-error.ts";
import { ConfigFiles } from "./config-files.ts";
import type { ConfigRequest, ConfigSource, EffectiveConfig, ProviderConfig } from "./effective-config.ts";
import { type Environment, resolveHome } from "./home.ts";
import { readInstructions } from "./instructions-file.ts";
import type { LayerWarning } from "./layer.ts";
import { gatherLayers, type Layers, wireLayers, wireOrigins } from "./layers.ts";
import { factsOf } from "./models/facts-memory.ts";
import { overrideTable } from "./overrides.ts";
import { approvalPolicy, approvalsReviewer, sandboxPolicy, workspaceWrite } from "./policies.ts";
import { findProject, type Project } from "./project.ts";
import { defaultProviderId, offlineProviderId, providerRow } from "./provider/providers.ts";
import { constrained, defaultRequirementsFile, type Requirements, readRequirements } from "./requirements.ts";
import { Settings } from "./settings.ts";
import type { ConfiguredProgram } from "./trust/program-words.ts";
import { ProjectTrust } from "./trust/project-trust.ts";
import { refusalOf } from "./trust/refuse-program.ts";
import { toWireConfig } from "./wire-config.ts";

/** Options of {@link openConfig}. */
export interface OpenConfigOptions {
  /** Default: {@link resolveHome} of `env`. */
  readonly home?: string | undefined;
  /** Settings of `-c` for all threads: dotted paths to values, from `parseOverrides`. */
  readonly cliOverrides?: Table | undefined;
  readonly env: Environment;
  /** The administrator's file. Default: {@link defaultRequirementsFile}. */
  readonly requirementsFile?: string | undefined;
  /** Providers that were given in code, each with the model that it has. */
  readonly embedded?: ReadonlyMap<string, string | undefined> | undefined;
  /** The provider where none is configured and nobody is logged in. Default `offline`. */
  readonly defaultProvider?: string | undefined;
  /** True when a login for OpenAI is stored. Called whenever a provider has to be chosen. */
  readonly loggedIn?: (() => boolean) | undefined;
}

/** The result of `config/read`, always with the layers. */
interface ConfigReading {
  readonly config: Config;
  readonly layers: readonly ConfigLayer[];
  readonly origins: Readonly<Record<string, ConfigLayerMetadata>>;
}

/** A {@link ConfigSource} that can also show where its values come from. */
export interface OpenConfig extends ConfigSource {
  /** Features switched while the server runs. The configuration has precedence. */
  features: Readonly<Record<string, boolean>>;
  read(request: ConfigRequest): ConfigReading;
  /** The last config that could be read, or the defaults, for callers that a mistake in a file should not stop. */
  lasting(request: ConfigRequest): EffectiveConfig;
  requirements(): Requirements | undefined;
  /** Warnings for the user: settings of a folder that are ignored, and why. */
  warnings(request: ConfigRequest): readonly LayerWarning[];
  readonly trust: ProjectTrust;
  /** The project around a folder, with its trust. */
  projectOf(request: ConfigRequest): Project;
}

/** Default limit of project instructions. */
const defaultDocBytes = 32 * 1024;
const smallDocBytes = 4 * 1024;

/** Windows up to this one are small: the full prompt and tools would take much of them. */
const smallWindow = 32 * 1024;

/** Opens the configuration. Reads nothing yet. */
export function openConfig(options: OpenConfigOptions): OpenConfig {
  const home = options.home ?? resolveHome(options.env);
  const files = new ConfigFiles();
  const trust = new ProjectTrust(home, files);
  const gather = ({ cwd, overrides }: ConfigRequest): Layers =>
    gatherLayers({ home, files, trust, cwd, overrides: overrideTable(options.cliOverrides, overrides) });
  const requirements = () => readRequirements(files, options.requirementsFile ?? defaultRequirementsFile);
  const resolve = (layers: Layers, model?: string): EffectiveConfig => {
    const required = requirements();
    const merged = withFeatures(layers.merged, opened.features, required?.features ?? {});
    const config = effective(
      { ...layers, merged },
      {
        ...options,
        home,
        trust,
        asked: model,
        refuse: (program, startsIn) => refusalOf(opened, { cwd: startsIn, program, startsIn }),
      },
    );
    return required ? { ...constrained(config, required), requirements: required } : config;
  };
  let last: EffectiveConfig | undefined;
  const opened: OpenConfig = {
    home,
    features: {},
    resolve: (request) => {
      const config = resolve(gather(request), request.model);
      if (!request.overrides && request.model === undefined) last = config;
      return config;
    },
    lasting: (request) => {
      try {
        return opened.resolve(request);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return last ?? resolve(withoutFiles(request.cwd, overrideTable(options.cliOverrides, null)));
      }
    },
    read(request) {
      const layers = gather(request);
      return { config: toWireConfig(layers.merged), layers: wireLayers(layers), origins: wireOrigins(layers) };
    },
    requirements,
    warnings: (request) => gather(request).warnings,
    trust,
    projectOf: (request) => gather(request).project,
  };
  return opened;
}

function withoutFiles(cwd: string, overrides: Table): Layers {
  return { list: [], merged: overrides, project: findProject(cwd, overrides), warnings: [] };
}

/** Merges features: configured ones win over switched ones, required ones over both. */
function withFeatures(merged: Table, switched: Table, required: Table): Table {
  const below = Object.keys(switched).length > 0 ? mergeTables({ features: switched }, merged) : merged;
  return Object.keys(required).length > 0 ? mergeTables(below, { features: required }) : below;
}

function trustedFolders({ folders }: Project): string[] {
  return folders.flatMap(({ path, trust }) => (trust === "trusted" ? [join(path, ".codex")] : []));
}

interface TransportContext {
  readonly home: string;
  readonly env: Environment;
  readonly loggedIn?: (() => boolean) | undefined;
  readonly defaultProvider?: string | undefined;
  readonly embedded?: ReadonlyMap<string, string | undefined> | undefined;
  readonly trust: ProjectTrust;
  /** The model whose window counts. Default: the configured one. */
  readonly asked?: string | undefined;
  /** Returns the reason why a program must not be started. */
  readonly refuse: (program: ConfiguredProgram, startsIn: string) => string | undefined;
}

/** A token's program may lie in a project, as those of MCP servers may. */
function guarded(provider: ProviderConfig, refuse: TransportContext["refuse"]): ProviderConfig {
  const { tokenCommand: token } = provider;
  if (token === undefined) return provider;
  const program = { command: [token.command, ...token.args], env: {} };
  return { ...provider, tokenCommand: { ...token, refuse: () => refuse(program, token.cwd) } };
}

const defaultModelOf = (provider: string): string =>
  provider === offlineProviderId ? offlineModel : defaultOpenaiModel;

function effective(layers: Layers, surroundings: TransportContext): EffectiveConfig {
  const { home, env, embedded, trust: projects, refuse, asked } = surroundings;
  const settings = new Settings(layers);
  const { trust } = layers.project;
  const instructions = readInstructions(settings, { home, project: layers.project, trust: projects });
  const warnings = [...layers.warnings, ...instructions.warnings];
  // Who gives a model in code wants it.
  const [given] = embedded?.keys() ?? [];
  const modelProvider = settings.name("model_provider") ?? given ?? defaultProviderId(surroundings);
  const model = settings.name("model") ?? embedded?.get(modelProvider) ?? defaultModelOf(modelProvider);
  const row = providerRow(modelProvider, settings, { env, home, embedded: [...(embedded?.keys() ?? [])] });
  const provider = guarded(row, refuse);
  const entry = catalogueEntry(asked ?? model);
  const facts = entry ? {} : factsOf({ home, raw: layers.merged, provider }, asked ?? model);
  const listedWindow = entry?.contextWindow ?? facts.contextWindow ?? fallbackContextWindow;
  const window = settings.count("model_context_window") ?? listedWindow;
  // The key of Codex changes nothing but when the history is compacted, as in Codex.
  const isSmall = entry === undefined && (facts.small ?? listedWindow <= smallWindow);
  return {
    model,
    modelProvider,
    effort: settings.name("model_reasoning_effort"),
    summary: settings.oneOf(["auto", "concise", "detailed", "none"], "model_reasoning_summary"),
    verbosity: settings.oneOf<Verbosity>(["low", "medium", "high"], "model_verbosity"),
    approvalPolicy: approvalPolicy(settings, trust),
    approvalsReviewer: approvalsReviewer(settings),
    sandboxPolicy: sandboxPolicy(settings, trust),
    workspaceWrite: () => workspaceWrite(settings),
    personality: settings.oneOf(["none", "friendly", "pragmatic"], "personality"),
    serviceTier: settings.name("service_tier"),
    baseInstructions: instructions.text ?? settings.string("instructions"),
    developerInstructions: settings.string("developer_instructions"),
    contextWindow: usableWindow(window),
    ...(isSmall && { isSmall }),
    autoCompactLimit: settings.count("model_auto_compact_token_limit"),
    projectDocMaxBytes: settings.count("project_doc_max_bytes") ?? (isSmall ? smallDocBytes : defaultDocBytes),
    projectDocFallbacks: settings.strings("project_doc_fallback_filenames"),
    provider,
    folders: [home, ...trustedFolders(layers.project)],
    ...(warnings.length > 0 && { warnings }),
    raw: layers.merged,
  };
}
