import { toRunError } from "../events/run-error.ts";
import type { Feedback, PullStatus } from "../forges/forge.ts";
import type { DeliverConfig } from "../workflow/deliver-config.ts";
import type { Delivery } from "./delivery.ts";
import { withNote } from "./note.ts";
import { type Carrier, wordsOf } from "./ship.ts";

/**
 * Looks what became of a pull request: what has to change goes back to the agent, and what may be merged is.
 *
 * @param canAct False for an issue that is over: only what others did is noted.
 */
export async function look(before: Delivery, carrier: Carrier, canAct: boolean): Promise<Delivery> {
  const { config, writer, signal } = carrier;
  if (before.pull === null) return before;
  const status = await config.forge.status(before.pull, { signal });
  const seen: Delivery = { ...before, checks: status.checks, review: status.review, error: null };
  const after = canAct || status.state !== "open" ? await step(seen, status, carrier) : seen;
  if (canAct && after.state === "merged" && config.states.done !== null) {
    await writer?.setState(after.issue, config.states.done, { signal });
  }
  return withNote(after, config, writer);
}

async function step(delivery: Delivery, status: PullStatus, carrier: Carrier): Promise<Delivery> {
  const { config } = carrier;
  if (status.state !== "open") return { ...delivery, state: status.state };
  // All that is wrong goes back at once.
  if (status.checks === "pending" || !config.watch) return delivery;
  const open = status.feedback.filter(({ id }) => !delivery.seen.includes(id));
  if (open.length > 0) return sentBack(delivery, open, carrier);
  return mayMerge(delivery, status, config) ? merged(delivery, status, carrier) : delivery;
}

/** Gives an agent a person's words about its pull request; says why not where it cannot. */
export async function sendBack(delivery: Delivery, text: string, carrier: Carrier): Promise<Delivery | string> {
  if (carrier.config.states.rework === null || !carrier.writer) {
    return "Name the state for it in deliver.states.rework.";
  }
  return sentBack(delivery, [{ id: `board ${Bun.hash(text)}`, text }], carrier);
}

/** Gives the agent feedback, by bringing its issue into the state in which it works again. */
async function sentBack(delivery: Delivery, feedback: readonly Feedback[], carrier: Carrier): Promise<Delivery> {
  const { config, writer, signal } = carrier;
  const { rework } = config.states;
  const seen = [...delivery.seen, ...feedback.map(({ id }) => id)];
  if (rework === null || !writer) return { ...delivery, seen };
  await writer.setState(delivery.issue, rework, { signal });
  const text = feedback.map((each) => `- ${each.text.trim().replaceAll("\n", "\n  ")}`).join("\n");
  return { ...delivery, seen, feedback: text, isHandedOver: false };
}

function mayMerge(delivery: Delivery, status: PullStatus, { merge, needsChecks }: DeliverConfig): boolean {
  if (merge === "never" || !delivery.isHandedOver || status.review === "changes_requested") return false;
  const isApproved = status.review === "approved" || isApprovedHere(delivery, status);
  const isGreen = status.checks === "passed" || (status.checks === "none" && !needsChecks);
  if (merge === "approved") return isGreen && isApproved;
  // Nobody has looked at what others pushed.
  return isGreen && (status.sha === null || status.sha === delivery.sha);
}

/** True if a person approved on the board just what is there now. */
function isApprovedHere({ approved, sha }: Delivery, status: PullStatus): boolean {
  return approved != null && approved === (status.sha ?? sha);
}

async function merged(delivery: Delivery, status: PullStatus, carrier: Carrier): Promise<Delivery> {
  const { config, outbox, writer, signal } = carrier;
  const { pull, sha: pushed } = delivery;
  const sha = status.sha ?? pushed;
  if (pull === null || sha === null) return delivery;
  const { merging } = config.states;
  if (merging !== null) await writer?.setState(delivery.issue, merging, { signal });
  const { method } = config;
  const text = wordsOf(delivery, config);
  const message = `${text.title}\n\n${delivery.issue.url ?? ""}`.trim();
  let conflict: string | undefined;
  const land = () =>
    outbox.land({ sha, method, message }).catch((error: unknown) => {
      conflict = toRunError(error).message;
      throw error;
    });
  try {
    if (await config.forge.merge(pull, { sha, method, text, land }, { signal }))
      return { ...delivery, state: "merged" };
  } catch (error) {
    const id = `conflict ${sha}`;
    if (conflict === undefined || delivery.seen.includes(id)) throw error;
    return sentBack(delivery, [{ id, text: conflict }], carrier);
  }
  const error = { code: "merge_refused", message: `${pull.url ?? pull.id} cannot be merged yet: look at its page` };
  return { ...delivery, error };
}
