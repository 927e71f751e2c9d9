import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Logger } from "../events/events.ts";
import { partsOf } from "../lib/secrets.ts";
import { batchLookups } from "../tracker/batch-lookups.ts";
import type { Tracker } from "../tracker/tracker.ts";
import type { WorkflowConfig } from "./config.ts";
import { parseWorkflowSource } from "./front-matter.ts";
import { type GuardedSetting, guardedSettings } from "./guarded-settings.ts";
import { type ConfigContext, parseConfig } from "./parse-config.ts";
import { PromptTemplate } from "./prompt.ts";
import { WorkflowError } from "./workflow-error.ts";

/** A workflow that can be used: settings, prompt, and the tracker made of them. */
export interface Workflow {
  readonly config: WorkflowConfig;
  readonly prompt: PromptTemplate;
  readonly tracker: Tracker;
  readonly warnings: readonly string[];
  /** Settings that need a person's agreement. */
  readonly guarded: readonly GuardedSetting[];
  /** The file's text, by which a change is noticed. */
  readonly source: string;
}

/** Context for loading workflows. */
export interface LoadContext extends Omit<ConfigContext, "path"> {
  readonly log: Logger;
  /** Makes sure that nobody else works on the issues of a tracker. Throws where somebody does. */
  readonly takeTracker?: ((scope: string | null) => void) | undefined;
}

/** A larger file than this is surely no workflow. */
const maxBytes = 1024 * 1024;

/** Absolute path of the workflow: the path given, else `WORKFLOW.md` in the current folder. */
export function workflowPath(given: string | undefined, cwd: string): string {
  return resolve(cwd, given ?? "WORKFLOW.md");
}

/** Reads the file's text. Throws a `missing_workflow_file`. */
export function readWorkflow(path: string): string {
  try {
    const { size } = statSync(path);
    if (size <= maxBytes) return readFileSync(path, "utf8");
  } catch (error) {
    const hint = "create it, or pass its path: quire orchestrate PATH";
    throw new WorkflowError("missing_workflow_file", `${path} cannot be read (${reason(error)}): ${hint}`, {
      cause: error,
    });
  }
  throw new WorkflowError("missing_workflow_file", `${path} is larger than ${maxBytes} bytes: not a workflow`);
}

/** A workflow's settings, before anything is made of them. */
interface WorkflowSettings extends Pick<Workflow, "config" | "warnings" | "guarded"> {
  readonly body: string;
  /** Of the file itself, links resolved. */
  readonly folder: string;
}

/** Reads the settings of a file's text. Throws a `WorkflowError` or a `TrackerError`. */
export function readSettings(path: string, source: string, context: Omit<ConfigContext, "path">): WorkflowSettings {
  const real = realpathSync(path);
  const folder = dirname(real);
  const { frontMatter, body } = parseWorkflowSource(source);
  const { config, warnings } = parseConfig(frontMatter, { ...context, path: real });
  const guarded = guardedSettings(config, folder);
  return { config, warnings: [...warnings, ...secretWarnings(guarded)], guarded, body, folder };
}

/** Makes a workflow of a file's text. Throws a `WorkflowError` or a `TrackerError`. */
export function makeWorkflow(path: string, source: string, { log, ...context }: LoadContext): Workflow {
  const { config, warnings, guarded, body, folder } = readSettings(path, source, context);
  const prompt = new PromptTemplate(body);
  const adapter = context.adapters[config.tracker.kind];
  if (!adapter) throw new Error(`No adapter for ${config.tracker.kind}`);
  const own = batchLookups(adapter.create(config.tracker, { baseDir: folder, env: context.env, log }));
  const tracker = withSecrets(own, config);
  return { config, prompt, tracker, warnings: [...warnings, ...promptWarnings(prompt)], guarded, source };
}

/** The tracker, with the secrets of all that the workflow reaches: no child process gets any of them. */
function withSecrets(tracker: Tracker, { deliver, notify, webhook, machines }: WorkflowConfig): Tracker {
  const { secretEnvNames: names = [], secrets = [] } = deliver?.forge ?? {};
  const own = notify?.secretEnvName;
  const database = machines && { secretEnvName: machines.urlEnvName, secret: machines.url };
  const more = [webhook, database].filter((each) => each !== null);
  return {
    ...tracker,
    secretEnvNames: [
      ...tracker.secretEnvNames,
      ...names,
      ...(own == null ? [] : [own]),
      ...more.map(({ secretEnvName }) => secretEnvName),
    ],
    secrets: [
      ...tracker.secrets,
      ...secrets,
      ...(own == null || !notify ? [] : [notify.url]),
      ...more.flatMap(({ secret }) => partsOf(secret)),
    ],
  };
}

/** Warns of credentials in the file: everybody who can read it, such as an agent, has them. */
function secretWarnings(guarded: readonly GuardedSetting[]): readonly string[] {
  return guarded
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => `${name} is in the workflow file, which agents can read: use $NAME and set that variable`);
}

/** A prompt that is no template fails runs, not the workflow; it is still reported at once. */
function promptWarnings(prompt: PromptTemplate): readonly string[] {
  try {
    prompt.check();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function reason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
