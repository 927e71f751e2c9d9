import type { ItemState } from "@quire/client/view";
import { formatDuration } from "./format.ts";

/** An item's duration as facts for its line: one where it is known and worth showing, else none. */
export function itemDuration({ startedAtMs, completedAtMs }: ItemState, reported?: number | null): readonly string[] {
  const measured = startedAtMs === null || completedAtMs === null ? null : completedAtMs - startedAtMs;
  const duration = reported ?? measured;
  return duration === null || duration < 100 ? [] : [formatDuration(duration)];
}
