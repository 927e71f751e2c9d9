import { toRunError } from "../events/run-error.ts";
import type { BlockedClaim } from "../state/claim.ts";
import { type Issue, normalState } from "../tracker/issue.ts";
import type { SchedulerCore } from "./core.ts";
import { ineligibleReason, isTerminal } from "./eligibility.ts";
import { StopRun } from "./stop-run.ts";

/** Time that a turn has to end after its agent moved the issue itself; what comes later ends the run. */
const ownChangeMs = 300_000;

/** Ends runs in which nothing happens any more. */
export function stopStalled({ options }: SchedulerCore): void {
  const { ledger, store } = options;
  const limit = store.current.config.codex.stallTimeoutMs;
  if (limit <= 0) return;
  for (const { run } of ledger.running.values()) {
    const silent = Math.round(run.state.silentMs);
    if (silent <= limit) continue;
    run.stop(
      new StopRun("Stalled", "stalled", `Nothing happened for ${silent} ms (codex.stall_timeout_ms is ${limit})`),
    );
  }
}

/** Looks what has become of the issues that are worked on or blocked. A tracker that cannot be asked changes nothing. */
export async function refreshClaimed(core: SchedulerCore): Promise<void> {
  const { ledger, store, calls, bus } = core.options;
  const ids = [...ledger.running.keys(), ...ledger.blocked.keys()];
  if (ids.length === 0) return;
  const { tracker } = store.current;
  let found: ReadonlyMap<string, Issue>;
  try {
    const { answer } = await calls.ask((options) => tracker.fetchIssuesByIds(ids, options));
    found = new Map(answer.map((issue) => [issue.id, issue]));
  } catch (error) {
    const { code, message } = toRunError(error);
    bus.log("warn", `could not refresh running issues; their runs continue: ${message}`, { code });
    return;
  }
  if (!core.isBelievable(ids.length, found.size)) {
    bus.log("warn", `the tracker shows none of ${ids.length} issues; their runs continue`, {
      code: "tracker_response",
    });
    return;
  }
  for (const id of ids) await refreshOne(core, id, found.get(id));
}

async function refreshOne(core: SchedulerCore, id: string, issue: Issue | undefined): Promise<void> {
  const { ledger, store } = core.options;
  const config = store.current.config.tracker;
  const run = ledger.running.get(id)?.run;
  const blocked = ledger.blocked.get(id);
  if (run) {
    const stop = stopReason(issue, config);
    // What its own agent changed ends with the turn that did it.
    if (stop && !(issue && run.state.sinceHandedMs < ownChangeMs)) run.stop(stop);
    if (issue) run.state.issue = issue;
  } else if (blocked) await refreshBlocked(core, blocked, issue);
}

function stopReason(issue: Issue | undefined, config: Parameters<typeof ineligibleReason>[1]): StopRun | undefined {
  const canceled = "CanceledByReconciliation";
  if (!issue) return new StopRun(canceled, "missing", "The issue is no longer visible");
  if (isTerminal(issue, config)) {
    return new StopRun(canceled, "terminal", `The issue is now ${issue.state}`, { cleanUp: true });
  }
  const why = ineligibleReason(issue, config);
  return why === undefined ? undefined : new StopRun(canceled, "inactive", `The issue is no longer eligible: ${why}`);
}

/** A blocked issue whose state was changed may start again: somebody has looked at it. */
async function refreshBlocked(core: SchedulerCore, blocked: BlockedClaim, issue: Issue | undefined): Promise<void> {
  const config = core.options.store.current.config.tracker;
  if (!issue) core.release(blocked, "missing");
  else if (isTerminal(issue, config)) {
    await core.cleanUp(issue, blocked);
    core.release({ ...blocked, issue }, "terminal");
  } else if (ineligibleReason(issue, config) !== undefined) core.release({ ...blocked, issue }, "inactive");
  else if (normalState(issue.state) !== normalState(blocked.issue.state))
    core.release({ ...blocked, issue }, "changed");
}
