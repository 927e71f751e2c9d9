import type { Executor } from "../executor/executor.ts";
import type { PullText } from "../forges/forge.ts";
import type { IssueWriter } from "../tracker/tracker.ts";
import type { DeliverConfig } from "../workflow/deliver-config.ts";
import type { Delivery } from "./delivery.ts";
import { withNote } from "./note.ts";
import type { Outbox } from "./outbox.ts";

/** Settings and services of a delivery. */
export interface Carrier {
  readonly config: DeliverConfig;
  readonly outbox: Outbox;
  readonly writer: IssueWriter | undefined;
  readonly signal: AbortSignal;
  /** The machine of this name. */
  executor(host: string | null): Executor;
}

/**
 * Brings what is in a workspace to the forge: commits the rest, pushes the branch, and, where the agent has handed its
 * work over, opens the pull request or brings it up to date. Each step can be done again after a crash.
 *
 * @param save Called after each step that is not to be done twice.
 */
export async function ship(
  before: Delivery,
  { config, outbox, writer, signal, executor: on }: Carrier,
  save: (delivery: Delivery) => void,
): Promise<Delivery> {
  const { text, forge } = config;
  const { workspace, branch } = before;
  const executor = on(before.host ?? null);
  if (config.commit) await outbox.commitRest(workspace, text.commit(before), executor);
  const sha = await outbox.push({ workspace, branch, known: before.sha, executor });
  const { review } = config.states;
  if (sha === null && before.pull === null) {
    if (before.isHandedOver && review !== null) await writer?.setState(before.issue, review, { signal });
    return { ...before, state: "closed", error: null };
  }
  const from = sha === null ? (before.from ?? null) : await outbox.forkPoint(sha);
  let delivery: Delivery = { ...before, sha: sha ?? before.sha, from };
  save(delivery);
  if (!config.pullRequest && before.isHandedOver && review !== null) {
    await writer?.setState(delivery.issue, review, { signal });
  }
  if (!config.pullRequest || (!delivery.isHandedOver && delivery.pull === null)) {
    return { ...delivery, state: "open", error: null };
  }
  const words = wordsOf(delivery, config);
  const known = delivery.pull ?? (await forge.find(delivery.branch, { signal }));
  if (known) await forge.edit(known, words, { signal });
  delivery = { ...delivery, pull: known ?? (await forge.open(words, { signal })) };
  save(delivery);
  const isNew = delivery.sha !== before.sha;
  const fresh = {
    ...delivery,
    state: "open" as const,
    error: null,
    ...(isNew && ({ checks: "none", review: "none" } as const)),
  };
  if (fresh.isHandedOver && review !== null) await writer?.setState(fresh.issue, review, { signal });
  return withNote(fresh, config, writer);
}

/** The words of a delivery's pull request. */
export function wordsOf(delivery: Delivery, { text, base }: DeliverConfig): PullText {
  const { branch, sha } = delivery;
  return { branch, base, sha: sha ?? "", title: text.title(delivery), body: text.body(delivery) };
}
