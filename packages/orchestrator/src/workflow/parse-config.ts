import { dirname } from "node:path";
import type { TrackerAdapter, TrackerAdapters, TrackerConfig } from "../tracker/adapter.ts";
import { normalState } from "../tracker/issue.ts";
import { TrackerError } from "../tracker/tracker-error.ts";
import { parseAutoApprove } from "./auto-approve.ts";
import { parseBudget } from "./budget-config.ts";
import type { WorkflowConfig } from "./config.ts";
import { defaultRoot } from "./default-root.ts";
import { parseDeliver } from "./deliver-config.ts";
import { parseLog } from "./log-config.ts";
import { parseMachines } from "./machines-config.ts";
import { parseNotify } from "./notify-config.ts";
import { resolvePath } from "./resolve-text.ts";
import { Settings, toInteger } from "./settings.ts";
import { unknownSettings } from "./unknown-settings.ts";
import { parseWebhook } from "./webhook-config.ts";
import { parseWorker } from "./worker-config.ts";
import { WorkflowError } from "./workflow-error.ts";

/** Context for reading the settings. */
export interface ConfigContext {
  /** Real path of the workflow file. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly adapters: TrackerAdapters;
}

/** The settings with defaults in place, and what the user should know of them. */
export interface ParsedConfig {
  readonly config: WorkflowConfig;
  readonly warnings: readonly string[];
}

/** Reads the front matter: defaults, then variables, then checks. Keys that are not known have no effect, and are warned of. */
export function parseConfig(frontMatter: Readonly<Record<string, unknown>>, context: ConfigContext): ParsedConfig {
  const root = new Settings(frontMatter);
  const tracker = parseTracker(root.section("tracker"), context.adapters);
  const { env, path } = context;
  const config: WorkflowConfig = {
    tracker,
    pollIntervalMs: root.section("polling").integer("interval_ms", 30_000),
    workspaceRoot: parseRoot(root.section("workspace").text("root"), context),
    hooks: parseHooks(root.section("hooks")),
    agent: parseAgent(root.section("agent")),
    codex: parseCodex(root.section("codex")),
    deliver: parseDeliver(root.section("deliver"), { baseDir: dirname(path), env, tracker }),
    budget: parseBudget(root.section("budget")),
    log: parseLog(root.section("log"), { baseDir: dirname(path), env }),
    notify: parseNotify(root.section("notify"), env),
    worker: parseWorker(root.section("worker"), root.section("workspace").text("root"), context),
    serverPort: parsePort(root.section("server")),
    webhook: parseWebhook(root.section("server"), env),
    machines: parseMachines(root.section("machines"), env),
  };
  const profile = context.adapters[config.tracker.kind]?.profile;
  return { config, warnings: unknownSettings(root, profile) };
}

function parseTracker(settings: Settings, adapters: TrackerAdapters): TrackerConfig {
  const kind = settings.text("kind")?.trim();
  const known = Object.keys(adapters).join(", ");
  if (kind === undefined)
    throw new WorkflowError("invalid_workflow_config", `tracker.kind is missing: one of ${known}`);
  const adapter = Object.hasOwn(adapters, kind) ? adapters[kind] : undefined;
  if (!adapter)
    throw new TrackerError("unsupported_tracker_kind", `tracker.kind "${kind}" is not known: use one of ${known}`);
  return {
    kind,
    provider: { ...flatSettings(settings, adapter), ...settings.map("provider") },
    requiredLabels: settings.texts("required_labels") ?? [],
    activeStates: states(settings, "active_states", adapter),
    terminalStates: states(settings, "terminal_states", adapter),
  };
}

/** Settings of the provider that stand beside it. */
function flatSettings(settings: Settings, { profile }: TrackerAdapter): Readonly<Record<string, unknown>> {
  const names = (profile.flatSettings ?? []).filter((name) => settings.raw(name) !== undefined);
  return Object.fromEntries(names.map((name) => [name, settings.raw(name)]));
}

function states(
  settings: Settings,
  key: "active_states" | "terminal_states",
  { profile }: TrackerAdapter,
): readonly string[] {
  const fallback = key === "active_states" ? profile.defaultActiveStates : profile.defaultTerminalStates;
  const found = settings.texts(key) ?? fallback;
  if (!found) {
    throw new WorkflowError(
      "invalid_workflow_config",
      `tracker.${key} is missing: the tracker ${profile.kind} has no default`,
    );
  }
  return found;
}

function parseRoot(written: string | undefined, { path, env }: ConfigContext): string {
  if (written === undefined) return defaultRoot(path, env);
  const root = resolvePath(written, dirname(path), env);
  if (root === undefined) {
    throw new WorkflowError(
      "invalid_workflow_config",
      `workspace.root is ${written}, which is not set: set the variable, or write a path`,
    );
  }
  return root;
}

function parseHooks(settings: Settings): WorkflowConfig["hooks"] {
  return {
    afterCreate: settings.text("after_create") ?? null,
    beforeRun: settings.text("before_run") ?? null,
    afterRun: settings.text("after_run") ?? null,
    beforeRemove: settings.text("before_remove") ?? null,
    timeoutMs: settings.integer("timeout_ms", 60_000),
  };
}

function parseAgent(settings: Settings): WorkflowConfig["agent"] {
  const byState = Object.entries(settings.map("max_concurrent_agents_by_state")).flatMap(([state, value]) => {
    const limit = toInteger(value);
    return limit === undefined || limit < 1 ? [] : [[normalState(state), limit] as const];
  });
  return {
    maxConcurrentAgents: settings.integer("max_concurrent_agents", 10),
    maxTurns: settings.integer("max_turns", 20),
    maxRetryBackoffMs: settings.integer("max_retry_backoff_ms", 300_000),
    maxConcurrentAgentsByState: Object.fromEntries(byState),
  };
}

function parseCodex(settings: Settings): WorkflowConfig["codex"] {
  return {
    command: settings.text("command") ?? "quire app-server",
    approvalPolicy: settings.raw("approval_policy") ?? "never",
    threadSandbox: settings.raw("thread_sandbox") ?? "workspace-write",
    turnSandboxPolicy: settings.raw("turn_sandbox_policy"),
    autoApprove: parseAutoApprove(settings),
    turnTimeoutMs: settings.integer("turn_timeout_ms", 3_600_000),
    readTimeoutMs: settings.integer("read_timeout_ms", 5000),
    stallTimeoutMs: settings.integer("stall_timeout_ms", 300_000, { least: Number.MIN_SAFE_INTEGER }),
  };
}

function parsePort(settings: Settings): number | null {
  const port = settings.integer("port", -1, { least: 0, most: 65_535 });
  return port < 0 ? null : port;
}
