import { toRunError } from "../events/run-error.ts";
import { addTokens, noTokens } from "../session/token-meter.ts";
import type { RunningClaim } from "../state/claim.ts";
import type { SchedulerCore } from "./core.ts";
import { endOrphans } from "./orphans.ts";

/**
 * Restores the claims of an earlier orchestrator. Processes that it left are ended first: a run that is started again
 * must not find the old one still at work.
 */
export async function restoreClaims(core: SchedulerCore): Promise<void> {
  const { ledger, bus, clock, store } = core.options;
  const claims = ledger.stored();
  const interrupted = claims.filter((claim): claim is RunningClaim => claim.status === "running");
  const ended = await endOrphans(interrupted, ledger.cleanUpMark);
  await reapHosts(core, interrupted);
  if (claims.length > 0) {
    bus.log("info", "claims restored", {
      claims: claims.length,
      interrupted: interrupted.length,
      processes_ended: ended,
    });
  }
  // The time of day may have been set back meanwhile.
  const latest = clock.now() + store.current.config.agent.maxRetryBackoffMs;
  for (const claim of claims) {
    if (claim.status === "retrying") ledger.wait({ ...claim, dueAt: Math.min(claim.dueAt, latest) });
    else if (claim.status === "blocked") ledger.block(claim);
    else retryInterrupted(core, claim);
  }
}

/** Ends what was left on other machines. One that is not there is lost: its issues go elsewhere. */
async function reapHosts({ options }: SchedulerCore, interrupted: readonly RunningClaim[]): Promise<void> {
  const { hosts, bus } = options;
  const names = new Set(interrupted.flatMap(({ host }) => host ?? []));
  await Promise.all(
    [...names].map(async (host) => {
      try {
        await hosts.of(host).reap(interrupted.filter((claim) => claim.host === host).map(({ runId }) => runId));
      } catch (error) {
        bus.log("warn", `could not end what was left on a host: ${toRunError(error).message}`, { host });
        await hosts.verify(host);
      }
    }),
  );
}

/** Has a run that was cut off made again. What it used, as far as it was noted, counts. */
function retryInterrupted(core: SchedulerCore, claim: RunningClaim): void {
  const { attempt, progress } = claim;
  const tokens = progress?.tokens ?? noTokens;
  const seconds = progress?.seconds ?? 0;
  const before: RunningClaim = {
    ...claim,
    turns: claim.turns + (progress?.turns ?? 0),
    tokens: addTokens(claim.tokens, tokens),
    threadId: progress?.threadId ?? claim.threadId,
  };
  const error = "the orchestrator stopped during the run";
  core.options.ledger.end({ tokens, seconds, turns: progress?.turns ?? 0 }, () =>
    core.retry(before, { attempt: Math.max(1, attempt), delayMs: 0, error }),
  );
}

/** Removes the workspaces of issues that are over. A tracker that cannot be asked is no reason not to start. */
export async function cleanUpTerminal(core: SchedulerCore): Promise<void> {
  const { store, calls, bus, ledger, killSignal } = core.options;
  const { tracker, config } = store.current;
  try {
    const { answer } = await calls.ask((options) =>
      tracker.fetchIssuesByStates(config.tracker.terminalStates, options),
    );
    // Claimed issues end with the same clean-up anyway.
    for (const issue of answer) if (!ledger.isClaimed(issue.id) && !killSignal.aborted) await core.cleanUp(issue, null);
  } catch (error) {
    const { code, message } = toRunError(error);
    bus.log("warn", `could not clean up workspaces of finished issues: ${message}`, { code });
  }
}
