import type { TrackerConfig } from "../tracker/adapter.ts";
import { type Issue, isStateIn } from "../tracker/issue.ts";

/** An issue is active if its state is among the active states and not among the terminal ones. */
function isActive({ state }: Issue, { activeStates, terminalStates }: TrackerConfig): boolean {
  return isStateIn(state, activeStates) && !isStateIn(state, terminalStates);
}

/** True if the issue's state means that it is finished. */
export function isTerminal({ state }: Issue, { terminalStates }: TrackerConfig): boolean {
  return isStateIn(state, terminalStates);
}

/** Why an issue is not to be worked on, by itself and whatever else runs; undefined where it is. */
export function ineligibleReason(issue: Issue, config: TrackerConfig): string | undefined {
  const missing = (["id", "identifier", "title", "state"] as const).find((key) => !isFilled(issue[key]));
  if (missing !== undefined) return `it has no ${missing}`;
  if (isTerminal(issue, config)) return `its state ${issue.state} is terminal`;
  if (!isActive(issue, config)) return `its state ${issue.state} is not active`;
  if (!issue.dispatchable) return heldBack(issue, config);
  const label = config.requiredLabels.find((wanted) => !hasLabel(issue, wanted));
  return label === undefined ? undefined : `it has no label "${label}"`;
}

function heldBack({ blockedBy }: Issue, { terminalStates }: TrackerConfig): string {
  const open = blockedBy.filter(({ state }) => state === null || !isStateIn(state, terminalStates));
  if (open.length === 0) return "the tracker's rules hold it back";
  return `it waits for ${open.map(({ identifier, id }) => identifier ?? id ?? "an issue").join(", ")}`;
}

/** A blank label is one that no issue has. */
function hasLabel({ labels }: Issue, wanted: string): boolean {
  const name = wanted.trim().toLowerCase();
  return name !== "" && labels.some((label) => label.trim().toLowerCase() === name);
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
