import { toRunError } from "../events/run-error.ts";
import type { RetryClaim } from "../state/claim.ts";
import type { Issue } from "../tracker/issue.ts";
import { TrackerError } from "../tracker/tracker-error.ts";
import type { AgentConfig } from "../workflow/config.ts";
import { backoffMs } from "./backoff.ts";
import type { SchedulerCore } from "./core.ts";
import { ineligibleReason, isTerminal } from "./eligibility.ts";
import type { Ledger } from "./ledger.ts";
import { Slots } from "./slots.ts";
import { sortIssues } from "./sort-issues.ts";

/** Reason of a retry that only waits for another run to end. */
const noSlots = "no available orchestrator slots";

/** Options for firing retries. */
export interface FireOptions {
  /** Release an issue that is still active after a good run, instead of starting it again. */
  readonly once: boolean;
}

/** Checks the issues whose retry is due: each is started, postponed or released. */
export async function fireRetries(core: SchedulerCore, { once }: FireOptions): Promise<void> {
  const { ledger, store, calls } = core.options;
  const due = ledger.retries.due();
  if (due.length === 0) return;
  if (store.error) {
    for (const claim of due) postpone(core, claim, `the workflow has an error: ${store.error.message}`);
    return;
  }
  const over = core.dayOver();
  if (over) {
    for (const claim of due) postpone(core, claim, over.message);
    return;
  }
  const { tracker } = store.current;
  let found: ReadonlyMap<string, Issue>;
  try {
    const { answer } = await calls.ask((options) =>
      tracker.fetchIssuesByIds(
        due.map(({ issue }) => issue.id),
        options,
      ),
    );
    // Paused or brought to its end meanwhile: they stay due, for when it continues.
    if (!core.options.canStartRuns()) return;
    found = new Map(answer.map((issue) => [issue.id, issue]));
    if (!core.isBelievable(due.length, found.size)) throw lost(due.length);
  } catch (error) {
    if (!core.options.canStartRuns()) return;
    for (const claim of due.filter((one) => isCurrent(core, one))) {
      core.retryFailed(claim, claim.attempt + 1, `retry refresh failed: ${toRunError(error).message}`);
    }
    return;
  }
  for (const claim of due) if (!found.has(claim.issue.id) && isCurrent(core, claim)) core.release(claim, "missing");
  const byId = new Map(due.map((claim) => [claim.issue.id, claim]));
  for (const issue of core.options.priorities.ranked([...found.values()])) {
    const claim = byId.get(issue.id);
    if (claim && isCurrent(core, claim)) await fireOne(core, { ...claim, issue }, once);
  }
}

const lost = (count: number) =>
  new TrackerError(
    "tracker_response",
    `The tracker shows none of ${count} issues: has it moved, or its access changed?`,
  );

async function fireOne(core: SchedulerCore, claim: RetryClaim, once: boolean): Promise<void> {
  const { ledger, store } = core.options;
  const { config } = store.current;
  const { issue } = claim;
  if (isTerminal(issue, config.tracker)) {
    await core.cleanUp(issue, claim);
    core.release(claim, "terminal");
  } else if (ineligibleReason(issue, config.tracker) !== undefined) core.release(claim, "inactive");
  else if (core.options.deliveries.isPending(issue.id)) postpone(core, claim, "its work could not be delivered yet");
  else if (once && claim.error === null && core.hasBegun(issue.id)) core.release(claim, "still_active");
  else {
    const states = [...ledger.running.values()].map(({ run }) => run.state.issue.state);
    const executor = core.machineFor(issue.id, claim);
    if (executor && new Slots(core.limits, states).take(issue.state)) {
      core.dispatch(issue, { attempt: claim.attempt, executor, before: claim });
    } else {
      const delayMs = backoffMs(claim.attempt, config.agent.maxRetryBackoffMs);
      core.retry(claim, { attempt: claim.attempt, delayMs, error: noSlots, needsSlot: true });
    }
  }
}

/** Retries that only wait for a slot and have one now, the most urgent first: no others need to be looked at. */
export function waitingForSlot({ retries, running }: Ledger, config: AgentConfig): readonly RetryClaim[] {
  const claims = new Map(
    [...retries.values()].flatMap((claim) => (claim.needsSlot ? [[claim.issue.id, claim] as const] : [])),
  );
  const slots = new Slots(
    config,
    [...running.values()].map(({ run }) => run.state.issue.state),
  );
  return sortIssues([...claims.values()].map(({ issue }) => issue)).flatMap((issue) => {
    const claim = claims.get(issue.id);
    return claim && slots.take(issue.state) ? [claim] : [];
  });
}

function postpone(core: SchedulerCore, claim: RetryClaim, error: string): void {
  const delayMs = core.options.store.current.config.pollIntervalMs;
  core.retry(claim, { attempt: claim.attempt, delayMs, error, needsSlot: true });
}

/** True if the issue still has this claim; an operator may have stopped it meanwhile. */
function isCurrent({ options }: SchedulerCore, claim: RetryClaim): boolean {
  return options.ledger.retries.get(claim.issue.id) === claim;
}
