import type { ActionResult, BoardAction } from "../events/board.ts";
import { toRunError } from "../events/run-error.ts";
import { claimOf } from "./operator.ts";
import type { Scheduler } from "./scheduler.ts";

/** Longest text of a person that goes to an agent. */
const maxText = 20_000;

const refused = (message: string) => ({ code: "not_applicable", message });

/** Does what a person asked for on the board. */
export async function act(scheduler: Scheduler, identifier: string, action: BoardAction): Promise<ActionResult> {
  const { core, ledger } = scheduler;
  const claim = claimOf(core, identifier);
  const waiting = scheduler.allWaiting().find((one) => one.identifier === identifier || one.issueId === identifier);
  const ended = ledger.finishedNamed(identifier);
  const issueId = claim?.issue.id ?? waiting?.issueId ?? ended?.issueId;
  if (issueId === undefined) return { code: "issue_not_found", message: `There is no issue ${identifier}.` };
  if ("text" in action && action.text.trim() === "") return refused("Write what is to be done.");
  const text = "text" in action ? action.text.trim().slice(0, maxText) : "";
  switch (action.name) {
    case "priority":
      core.options.priorities.set(issueId, action.priority);
      scheduler.refresh();
      return undefined;
    case "answer":
      if (claim?.status !== "blocked") return refused(`${identifier} is not blocked.`);
      core.retry(
        { ...claim, answer: text },
        { attempt: Math.max(1, claim.attempt), delayMs: 0, error: claim.reason.message },
      );
      scheduler.fireSoon();
      return undefined;
    default:
      break;
  }
  if (claim?.status === "running") return refused(`${identifier} is being worked on.`);
  try {
    const why =
      action.name === "approve"
        ? await core.options.deliveries.approve(issueId)
        : await core.options.deliveries.sendBack(scheduler.options.store.current, issueId, text);
    if (why !== undefined) return refused(why);
  } catch (error) {
    return toRunError(error);
  }
  scheduler.refresh();
  return undefined;
}
