import { type RunScript, succeeded } from "../scripts/run-script.ts";
import type { Forge } from "./forge.ts";
import { createPullScript, noForgeTool, pullScript } from "./pull-scripts.ts";

/** A check of a pull request. */
export interface Check {
  readonly name: string;
  readonly state: "passed" | "failed" | "running";
  readonly url: string | null;
}

/** A pull request, or a merge request. */
export interface PullRequest {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  /** In the forge's own word, such as `OPEN` or `merged`. */
  readonly state: string;
  readonly checks: readonly Check[];
}

/** A branch at a forge. */
export interface PullPlace {
  readonly forge: Forge;
  readonly branch: string;
}

/** Reads the pull request of a branch: null for none, `missing` where the forge's program is not installed. */
export async function readPull(run: RunScript, place: PullPlace): Promise<PullRequest | null | "missing"> {
  const result = await run(pullScript, { env: envOf(place) });
  if (result.exitCode === noForgeTool) return "missing";
  const { stdout } = await succeeded(Promise.resolve(result));
  if (stdout.trim() === "") return null;
  const pull = JSON.parse(stdout) as Wire;
  const checks = pull.statusCheckRollup?.map(checkOf) ?? pipelineOf(pull);
  const [number, url] = [pull.number ?? pull.iid ?? 0, pull.url ?? pull.web_url ?? ""];
  return { number, url, title: pull.title ?? "", state: pull.state ?? "", checks };
}

/** The words of a new pull request. */
export interface NewPull {
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  /** The branch to merge into; null for the forge's default. */
  readonly base: string | null;
}

/** Makes a pull request of a branch that was pushed. */
export async function createPull(run: RunScript, place: PullPlace, pull: NewPull): Promise<void> {
  const words = {
    TITLE: pull.title.trim(),
    BODY: pull.body.trim(),
    DRAFT: pull.draft ? "1" : "",
    BASE: pull.base ?? "",
  };
  await succeeded(run(createPullScript, { env: { ...envOf(place), ...words } }));
}

const envOf = ({ forge, branch }: PullPlace): Record<string, string> => ({
  TOOL: forge.tool,
  REPOSITORY: forge.repository,
  BRANCH: branch,
});

/** The fields of both forges' programs that are read. */
interface Wire {
  readonly number?: number;
  readonly iid?: number;
  readonly url?: string;
  readonly web_url?: string;
  readonly title?: string;
  readonly state?: string;
  readonly statusCheckRollup?: readonly WireCheck[];
  readonly head_pipeline?: { readonly status?: string; readonly web_url?: string } | null;
}

interface WireCheck {
  readonly name?: string;
  readonly context?: string;
  readonly status?: string;
  readonly conclusion?: string;
  readonly state?: string;
  readonly detailsUrl?: string;
  readonly targetUrl?: string;
}

function checkOf(check: WireCheck): Check {
  const said = check.conclusion || check.state || check.status || "";
  return {
    name: check.name ?? check.context ?? "",
    state: stateOf(said),
    url: check.detailsUrl ?? check.targetUrl ?? null,
  };
}

function pipelineOf({ head_pipeline: pipeline }: Wire): readonly Check[] {
  if (!pipeline) return [];
  return [{ name: "Pipeline", state: stateOf(pipeline.status ?? ""), url: pipeline.web_url ?? null }];
}

function stateOf(said: string): Check["state"] {
  if (/^(?:success|neutral|skipped|passed|manual)$/i.test(said)) return "passed";
  return /^(?:fail|error|cancel|timed_out|action_required|startup_failure|stale)/i.test(said) ? "failed" : "running";
}
