import type { CommandResult } from "../events/control.ts";
import type { Claim } from "../state/claim.ts";
import type { SchedulerCore } from "./core.ts";
import { StopRun } from "./stop-run.ts";

/** Error of an issue that an operator stopped. */
const stopped = { code: "stopped_by_operator", message: "Stopped by an operator; retry to continue" };

/** Has an issue that waits or is blocked tried again at once. `fire`: retries are to be looked at. */
export function retryNow(core: SchedulerCore, identifier: string): { result: CommandResult; fire: boolean } {
  const claim = claimOf(core, identifier);
  if (!claim) return { result: isKnown(core, identifier) ? "not_applicable" : "issue_not_found", fire: false };
  if (claim.status === "running") return { result: "not_applicable", fire: false };
  const error = claim.status === "blocked" ? claim.reason.message : claim.error;
  core.retry(claim, { attempt: Math.max(1, claim.attempt), delayMs: 0, error });
  return { result: "done", fire: true };
}

/** Ends an issue's run, or its waiting, and leaves it to a person. */
export function stopNow(core: SchedulerCore, identifier: string): CommandResult {
  const claim = claimOf(core, identifier);
  if (!claim) return isKnown(core, identifier) ? "not_applicable" : "issue_not_found";
  if (claim.status === "blocked") return "not_applicable";
  const run = core.options.ledger.running.get(claim.issue.id)?.run;
  if (run) run.stop(new StopRun("Stopped", stopped.code, stopped.message));
  else core.block(claim, stopped, null);
  return "done";
}

/** The claim of an issue by its identifier or id. */
export function claimOf({ options }: SchedulerCore, identifier: string): Claim | undefined {
  const { running, blocked, retries } = options.ledger;
  const claims: Claim[] = [
    ...[...running.values()].map(({ claim }) => claim),
    ...blocked.values(),
    ...retries.values(),
  ];
  return claims.find(({ issue }) => issue.identifier === identifier || issue.id === identifier);
}

function isKnown({ options }: SchedulerCore, identifier: string): boolean {
  return options.ledger.finishedNamed(identifier) !== undefined;
}
