import { isAbsolute, resolve } from "node:path";
import type { ApprovalsReviewer, SandboxMode, SandboxPolicy, TurnStartParams } from "@quire/protocol";
import { ConfigError } from "../config/config-error.ts";
import { customPolicy } from "../config/custom-profiles.ts";
import type { ConfigRequest, EffectiveConfig } from "../config/effective-config.ts";
import { profileMode, unknownProfile } from "../config/permission-profiles.ts";
import { constrained, violations } from "../config/requirements.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { completeMode } from "../prompt/mode-prompts.ts";
import type { ThreadRecord } from "../record/thread-record.ts";
import type { TurnSettings } from "../record/turn-settings.ts";
import type { Core } from "./core.ts";
import type { SettingsParams } from "./settings-params.ts";

/** Settings for a thread that is being opened: the request's, else what the thread had, else the config's. */
export function openSettings(
  core: Core,
  params: SettingsParams,
  record?: ThreadRecord,
): { settings: TurnSettings; config: EffectiveConfig } {
  const had = record?.settings ?? null;
  if (params.permissions && params.sandbox) throw invalidRequest("`permissions` cannot be combined with `sandbox`");
  const cwd = workingFolder(params.cwd ?? had?.cwd ?? record?.meta.cwd ?? process.cwd(), process.cwd());
  const stored = record?.meta.quire?.config ?? null;
  const provider = params.modelProvider ?? had?.modelProvider;
  const overrides = { ...stored, ...params.config, ...(provider ? { model_provider: provider } : {}) };
  const chosenModel = params.model ?? had?.model;
  const config = configFor(core, { cwd, overrides, model: chosenModel });
  const chosen = params.permissions ? profilePolicy(params.permissions, config) : params.sandbox;
  const model = chosenModel ?? config.model;
  const within = (settings: TurnSettings) =>
    config.requirements ? constrained(settings, config.requirements) : settings;
  return {
    config,
    settings: within({
      cwd,
      model,
      modelProvider: config.modelProvider,
      // Another model may not have the effort that was chosen for the last.
      effort: (params.model ? null : had?.effort) ?? config.effort,
      summary: had?.summary ?? config.summary,
      approvalPolicy: params.approvalPolicy ?? had?.approvalPolicy ?? config.approvalPolicy,
      approvalsReviewer: reviewer(params.approvalsReviewer ?? had?.approvalsReviewer ?? config.approvalsReviewer),
      sandboxPolicy: chosen ? policyOf(chosen, config) : (had?.sandboxPolicy ?? config.sandboxPolicy),
      permissionProfile:
        params.permissions ?? (chosen ? null : had ? (had.permissionProfile ?? null) : defaultProfile(config)),
      personality: params.personality ?? had?.personality ?? config.personality,
      serviceTier: params.serviceTier ?? had?.serviceTier ?? config.serviceTier,
      collaborationMode: had?.collaborationMode ?? null,
      multiAgentMode: had?.multiAgentMode ?? "explicitRequestOnly",
      runtimeWorkspaceRoots:
        absolute(params.runtimeWorkspaceRoots) ?? (params.cwd ? [cwd] : (had?.runtimeWorkspaceRoots ?? [cwd])),
      environment: params.environment === undefined ? had?.environment : params.environment,
    }),
  };
}

/** The config for a folder. Problems become errors for the client. */
export function resolveConfig(
  core: Core,
  cwd: string,
  overrides: Readonly<Record<string, unknown>> | null,
): EffectiveConfig {
  return configFor(core, { cwd, overrides });
}

/** The config for a folder and a model; otherwise as {@link resolveConfig}. */
export function configFor(core: Core, request: ConfigRequest): EffectiveConfig {
  try {
    return core.config.resolve(request);
  } catch (error) {
    if (error instanceof ConfigError) throw invalidRequest(error.message);
    throw error;
  }
}

/** The settings after a turn's overrides; the same object where nothing changed. */
export function withOverrides(
  settings: TurnSettings,
  params: Partial<TurnStartParams> & { readonly environment?: string | null | undefined },
  config: EffectiveConfig,
): TurnSettings {
  const cwd = params.cwd ? workingFolder(params.cwd, settings.cwd) : settings.cwd;
  const mode = params.collaborationMode && completeMode(params.collaborationMode);
  if (params.permissions && params.sandboxPolicy) {
    throw invalidRequest("`permissions` cannot be combined with `sandboxPolicy`");
  }
  const roots = absolute(params.runtimeWorkspaceRoots) ?? (params.cwd ? [cwd] : settings.runtimeWorkspaceRoots);
  const next: TurnSettings = {
    ...settings,
    cwd,
    model: mode?.settings.model ?? params.model ?? settings.model,
    effort: mode ? (mode.settings.reasoning_effort ?? null) : (params.effort ?? settings.effort),
    summary: params.summary ?? settings.summary,
    approvalPolicy: params.approvalPolicy ?? settings.approvalPolicy,
    approvalsReviewer: reviewer(params.approvalsReviewer ?? settings.approvalsReviewer),
    ...overriddenSandbox(settings, params, config),
    personality: params.personality ?? settings.personality,
    // Null here takes a tier back; left out, it stays.
    serviceTier: params.serviceTier === undefined ? settings.serviceTier : (params.serviceTier ?? "default"),
    collaborationMode: mode ?? settings.collaborationMode,
    multiAgentMode: params.multiAgentMode ?? settings.multiAgentMode,
    runtimeWorkspaceRoots: roots,
    environment: params.environment === undefined ? settings.environment : params.environment,
  };
  const [problem] = config.requirements ? violations(next, config.requirements) : [];
  if (problem !== undefined) throw invalidRequest(`invalid thread settings override: ${problem}`);
  return Bun.deepEquals(next, settings) ? settings : next;
}

type SandboxChoice = Pick<TurnSettings, "sandboxPolicy" | "permissionProfile">;

function overriddenSandbox(
  settings: SandboxChoice,
  { permissions, sandboxPolicy: policy }: Partial<TurnStartParams>,
  config: EffectiveConfig,
): SandboxChoice {
  if (policy) return { sandboxPolicy: completePolicy(policy), permissionProfile: null };
  if (!permissions) {
    return { sandboxPolicy: settings.sandboxPolicy, permissionProfile: settings.permissionProfile ?? null };
  }
  return { sandboxPolicy: profilePolicy(permissions, config), permissionProfile: permissions };
}

/** A reviewer by its present name. */
function reviewer(name: ApprovalsReviewer): ApprovalsReviewer {
  return name === "guardian_subagent" ? "auto_review" : name;
}

const policyOf = (chosen: SandboxMode | SandboxPolicy, config: EffectiveConfig): SandboxPolicy =>
  typeof chosen === "string" ? sandboxPolicy(chosen, config) : chosen;

function profilePolicy(id: string, config: EffectiveConfig): SandboxPolicy {
  try {
    const chosen = profileMode(id) ?? customPolicy(config.raw, id);
    if (chosen !== undefined) return policyOf(chosen, config);
  } catch (error) {
    if (error instanceof ConfigError) throw invalidRequest(`failed to load configuration: ${error.message}`);
    throw error;
  }
  throw invalidRequest(`failed to load configuration: ${unknownProfile(id)}`);
}

/** The profile of `default_permissions`, if it decides. */
function defaultProfile({ raw }: EffectiveConfig): string | null {
  const { sandbox_mode: mode, default_permissions: id } = raw;
  return mode === undefined && typeof id === "string" ? id : null;
}

/** The folder may not exist yet: running something in it reports that. */
function workingFolder(cwd: string, base: string): string {
  return isAbsolute(cwd) ? cwd : resolve(base, cwd);
}

/** Refuses relative roots, which would start wherever the server was started. */
function absolute<Roots extends readonly string[] | null | undefined>(roots: Roots): Roots {
  const relative = roots?.find((root) => !isAbsolute(root));
  if (relative === undefined) return roots;
  throw invalidRequest(`Invalid request: the root ${JSON.stringify(relative)} is no absolute path`);
}

/** A policy with all that a client may leave out. */
export function completePolicy(policy: SandboxPolicy): SandboxPolicy {
  if (policy.type === "readOnly") return { ...policy, networkAccess: policy.networkAccess ?? false };
  if (policy.type === "externalSandbox") return { ...policy, networkAccess: policy.networkAccess ?? "restricted" };
  if (policy.type !== "workspaceWrite") return policy;
  return {
    type: policy.type,
    writableRoots: absolute(policy.writableRoots) ?? [],
    networkAccess: policy.networkAccess ?? false,
    excludeTmpdirEnvVar: policy.excludeTmpdirEnvVar ?? false,
    excludeSlashTmp: policy.excludeSlashTmp ?? false,
  };
}

/** The policy of a mode, with its configured settings. */
export function sandboxPolicy(mode: SandboxMode, config: EffectiveConfig): SandboxPolicy {
  if (mode === "danger-full-access") return { type: "dangerFullAccess" };
  if (mode === "read-only") {
    return config.sandboxPolicy.type === "readOnly" ? config.sandboxPolicy : { type: "readOnly", networkAccess: false };
  }
  try {
    return config.workspaceWrite?.() ?? completePolicy({ type: "workspaceWrite" });
  } catch (error) {
    if (error instanceof ConfigError) throw invalidRequest(error.message);
    throw error;
  }
}
