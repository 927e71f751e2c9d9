import { normalState } from "../../tracker/issue.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import { asObject } from "./normalize.ts";

/**
 * Reads `state_labels`: label (lower case) to the name of the state that an open issue with it has, in the order of the file.
 *
 * @param own States that the tracker itself has, which no label can stand for.
 */
export function stateLabels(value: unknown, own: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (value === undefined || value === null) return found;
  for (const [state, label] of Object.entries(asObject(value) ?? fail("state_labels", "a map from state to label"))) {
    if (typeof label !== "string" || label.trim() === "" || state.trim() === "") {
      throw invalid(`tracker.provider.state_labels: "${state}" needs the name of a label.`);
    }
    if (own.includes(normalState(state))) {
      throw invalid(
        `tracker.provider.state_labels: "${state}" is a state of the tracker's own and cannot come from a label.`,
      );
    }
    found.set(label.trim().toLowerCase(), state.trim());
  }
  return found;
}

/** Reads `priority_labels`: label (lower case) to priority. */
export function priorityLabels(value: unknown): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (value === undefined || value === null) return found;
  for (const [label, rank] of Object.entries(
    asObject(value) ?? fail("priority_labels", "a map from label to number"),
  )) {
    if (typeof rank !== "number" || !Number.isInteger(rank)) {
      throw invalid(`tracker.provider.priority_labels: "${label}" needs a whole number.`);
    }
    found.set(label.trim().toLowerCase(), rank);
  }
  return found;
}

/** The most urgent priority that the labels stand for; null for none. */
export function labelPriority(labels: readonly string[], ranks: ReadonlyMap<string, number>): number | null {
  const found = labels.flatMap((label) => ranks.get(label) ?? []);
  return found.length === 0 ? null : Math.min(...found);
}

function fail(key: string, expected: string): never {
  throw invalid(`tracker.provider.${key} must be ${expected}.`);
}

const invalid = (message: string) => new TrackerError("invalid_tracker_config", message);
