import process from "node:process";
import { ineligibleReason } from "./scheduler/eligibility.ts";
import { Slots } from "./scheduler/slots.ts";
import { sortIssues } from "./scheduler/sort-issues.ts";
import type { TrackerAdapters } from "./tracker/adapter.ts";
import type { Issue } from "./tracker/issue.ts";
import type { WorkflowConfig } from "./workflow/config.ts";
import { makeWorkflow, readWorkflow, workflowPath } from "./workflow/load-workflow.ts";

/** An issue, and what would become of it. */
export interface DryRunIssue {
  readonly issue: Issue;
  /** `begin`: now. `wait`: when a run has ended. `skip`: not at all, for this reason. */
  readonly plan: "begin" | "wait" | "skip";
  readonly reason: string | null;
}

/** The plan of an orchestrator for a workflow, as of now. */
export interface DryRun {
  readonly path: string;
  readonly config: WorkflowConfig;
  /** The settings that decide which programs run and with which permissions. Credentials are left out. */
  readonly settings: readonly { readonly name: string; readonly shown: string }[];
  readonly warnings: readonly string[];
  /** In the order in which they would be started. */
  readonly issues: readonly DryRunIssue[];
  /** Prompt of the first one that would be started. */
  readonly prompt: string | null;
}

/** Options of {@link dryRun}. */
export interface DryRunOptions {
  readonly workflow?: string | undefined;
  readonly adapters: TrackerAdapters;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads workflow and tracker and tells what would be done. Nothing is started, made or written. */
export async function dryRun({ workflow: given, adapters, env = process.env, signal }: DryRunOptions): Promise<DryRun> {
  const path = workflowPath(given, process.cwd());
  const {
    config,
    prompt,
    tracker,
    warnings,
    guarded: settings,
  } = makeWorkflow(path, readWorkflow(path), {
    adapters,
    env,
    log: () => {},
  });
  try {
    const fetched = await tracker.fetchIssuesByStates(config.tracker.activeStates, { signal });
    const slots = new Slots(config.agent, []);
    const issues = sortIssues(fetched).map((issue): DryRunIssue => {
      const reason = ineligibleReason(issue, config.tracker);
      if (reason !== undefined) return { issue, plan: "skip", reason };
      return slots.take(issue.state)
        ? { issue, plan: "begin", reason: null }
        : { issue, plan: "wait", reason: "no free slot" };
    });
    const first = issues.find(({ plan }) => plan === "begin")?.issue;
    const text = first ? prompt.render({ issue: first, attempt: 0 }) : null;
    return { path, config, settings, warnings, issues, prompt: text };
  } finally {
    await tracker.close?.();
  }
}
