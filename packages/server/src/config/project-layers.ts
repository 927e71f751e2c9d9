import { dirname, join } from "node:path";
import { ConfigError } from "./config-error.ts";
import type { ConfigFile, ConfigFiles } from "./config-files.ts";
import { maxProjectBytes } from "./config-files.ts";
import type { Layer, LayerWarning } from "./layer.ts";
import type { Project, ProjectFolder } from "./project.ts";
import { restraints } from "./strictest-settings.ts";
import type { Distrust, ProjectTrust } from "./trust/project-trust.ts";
import { trustCommand } from "./trust/trust-command.ts";

interface ProjectLayers {
  readonly layers: readonly Layer[];
  readonly warnings: readonly LayerWarning[];
  /** Missing settings that may have restricted the model; `undefined` when there are none. */
  readonly lost: ReadonlySet<string> | undefined;
}

/** Settings that a project may not make: where requests and keys go, whom to trust, what else runs. */
const keptFromProjects = new Set([
  "cli_auth_credentials_store",
  "cost_limits",
  "forced_chatgpt_workspace_id",
  "forced_login_method",
  "mcp_oauth_credentials_store",
  "model_provider",
  "model_providers",
  "model_roles",
  "models",
  "notify",
  "otel",
  "profile",
  "profiles",
  "projects",
  "store",
]);

/** Names of settings that hold an address, to which a key or a login is sent. */
const address = /_(?:url|endpoint)$/;

const isKept = (key: string): boolean => keptFromProjects.has(key) || address.test(key);

interface ProjectContext {
  readonly home: string;
  readonly files: ConfigFiles;
  readonly project: Project;
  readonly trust: ProjectTrust;
}

/** Reads the configs of a project's folders. Untrusted settings are left out with a warning. */
export function projectLayers(context: ProjectContext): ProjectLayers {
  const layers: Layer[] = [];
  const warnings: LayerWarning[] = [];
  let lost: Set<string> | undefined;
  for (const folder of context.project.folders) {
    const dotCodexFolder = join(folder.path, ".codex");
    // In the user's home folder, `.codex` may be the server's own home: that file is the user's, not a project's.
    if (dotCodexFolder === context.home) continue;
    const source = { type: "project", dotCodexFolder } as const;
    const path = join(dotCodexFolder, "config.toml");
    const { file, problem } = readQuietly(context.files, path);
    const why = folder.trust === "trusted" ? distrust(folder, { path, file, problem, context }) : undefined;
    if (why) {
      warnings.push(why.warning);
      if (why.lost) lost = new Set([...(lost ?? []), ...why.lost]);
    }
    if (folder.trust !== "trusted") {
      if (!file) continue;
      const disabledReason = whyDisabled(folder, context);
      warnings.push({ summary: `${path} is left out. ${disabledReason}`, details: null, path });
      layers.push({ source, values: file.values, file, disabledReason });
    } else if (why?.disables) {
      const disabledReason = `${why.warning.summary} ${why.warning.details}`;
      layers.push({ source, values: file?.values ?? {}, file, disabledReason });
    } else if (file) {
      layers.push({ source, values: allowed(file, context.home, warnings), file, disabledReason: undefined });
    }
  }
  return { layers, warnings, lost };
}

/** The settings in a project's file that a project may make. */
function allowed({ path, values }: ConfigFile, home: string, warnings: LayerWarning[]): Layer["values"] {
  const dropped = Object.keys(values).filter(isKept);
  if (dropped.length === 0) return values;
  const summary = `${path}: a project cannot set ${dropped.join(", ")}; set it in ${join(home, "config.toml")}.`;
  warnings.push({ summary, details: null, path });
  return Object.fromEntries(Object.entries(values).filter(([key]) => !isKept(key)));
}

interface Found {
  readonly path: string;
  readonly file: ConfigFile | undefined;
  readonly problem: string | undefined;
  readonly context: ProjectContext;
}

interface Verdict {
  readonly warning: LayerWarning;
  readonly disables: boolean;
  readonly lost: readonly string[] | undefined;
}

function distrust(folder: ProjectFolder, { path, file, problem, context }: Found): Verdict | undefined {
  const found = context.trust.judge(folder, file?.values);
  if (problem !== undefined) {
    const summary = `${path} is left out: it cannot be read.`;
    return { warning: { summary, details: problem, path }, disables: true, lost: found && lostOf(found) };
  }
  if (found === undefined) return undefined;
  const settings = found.keys.length > 0 ? found.keys.join(", ") : "nothing that counts";
  const remedy = `Check it, then run \`${trustCommand(dirname(dirname(path)))}\`, or set the project's trust level again in your client.`;
  const said = {
    new: [`${path} is left out: it came after you trusted ${folder.entry}.`, `It sets ${settings}.`],
    changed: [`${path} is left out: it has changed since you trusted ${folder.entry}.`, `It sets or set ${settings}.`],
    gone: [`${path} no longer has what you trusted in ${folder.entry}.`, `It set ${settings}.`],
    moved: [`${path} is left out: ${folder.entry} is another folder than you trusted.`, `It sets ${settings}.`],
    unknown: [
      `${path} is left out: the record of what you trusted in ${folder.entry} cannot be read.`,
      `It sets ${settings}.`,
    ],
  } as const satisfies Record<Distrust["kind"], readonly [string, string]>;
  const [summary, details] = said[found.kind];
  const warning = { summary, details: `${details} ${remedy}`, path };
  return { warning, disables: found.kind !== "gone", lost: lostOf(found) };
}

/** Settings that are only new take nothing away. */
function lostOf({ kind, had }: Distrust): readonly string[] | undefined {
  const held = had.filter((key) => restraints.has(key));
  return kind === "moved" || kind === "unknown" || held.length > 0 ? held : undefined;
}

/** A broken file that is ignored anyway must not stop anything. */
function readQuietly(files: ConfigFiles, path: string): { file?: ConfigFile; problem?: string } {
  try {
    const file = files.read(path, maxProjectBytes);
    return file ? { file } : {};
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problem: error.message };
  }
}

function whyDisabled({ trust }: ProjectFolder, { home, project }: ProjectContext): string {
  return trust === "untrusted"
    ? `${project.root} is marked as untrusted in ${join(home, "config.toml")}; to use the project's own config, run \`${trustCommand(project.root)}\`.`
    : `To use the project's own config, check it, then run \`${trustCommand(project.root)}\`.`;
}
