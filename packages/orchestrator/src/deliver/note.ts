import type { IssueWriter } from "../tracker/tracker.ts";
import type { DeliverConfig } from "../workflow/deliver-config.ts";
import type { Delivery } from "./delivery.ts";

/** Writes the comment at the issue, if it says something else than before. */
export async function withNote(
  delivery: Delivery,
  { comment, merge }: DeliverConfig,
  writer: IssueWriter | undefined,
): Promise<Delivery> {
  if (!comment || !writer || delivery.pull === null) return delivery;
  const text = noteText(delivery, merge !== "never");
  if (text === delivery.note?.text) return delivery;
  const id = await writer.writeNote(delivery.issue, text, delivery.note?.id ?? null);
  return { ...delivery, note: { id, text } };
}

function noteText(delivery: Delivery, isMerged: boolean): string {
  const { pull, runs, turns, tokens, usd, branch } = delivery;
  const money = usd == null ? "" : `, ${usd.toFixed(2)} US dollars`;
  const count = (number: number, what: string) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
  return [
    `Pull request: ${pull?.url ?? branch}`,
    `State: ${stateText(delivery, isMerged)}`,
    `Cost so far: ${count(runs, "run")}, ${count(turns, "turn")}, ${count(tokens, "token")}${money}`,
  ].join("\n\n");
}

function stateText({ state, checks, review, feedback }: Delivery, isMerged: boolean): string {
  if (state === "merged") return "merged";
  if (state === "closed") return "closed without being merged";
  if (feedback !== null) return "being reworked";
  const parts = [
    { none: "", pending: "checks are running", passed: "checks passed", failed: "checks failed" }[checks],
    { none: "waits for a review", approved: "approved", changes_requested: "a reviewer wants changes" }[review],
    isMerged ? "" : "a person merges it",
  ];
  return parts.filter((part) => part !== "").join(", ");
}
