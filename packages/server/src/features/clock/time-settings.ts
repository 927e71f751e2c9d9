import { isSwitchedOn } from "../../config/feature-flags.ts";
import { isTable, type Table, valueAt } from "../../lib/table.ts";

/** Settings for the time that a model gets: `[features.current_time_reminder]`. */
export interface TimeSettings {
  /** True when the client's clock counts. */
  readonly external: boolean;
  /** Seconds between two reminders. */
  readonly intervalSeconds: number;
  /** True for reminders only after a user's message or the output of a call. */
  readonly afterInput: boolean;
  /** True when the model may wait. */
  readonly sleeps: boolean;
}

/** `undefined` when the model does not get the time. */
export function timeSettings(raw: Table): TimeSettings | undefined {
  if (!isSwitchedOn(raw, "current_time_reminder")) return undefined;
  const set = valueAt(raw, ["features", "current_time_reminder"]);
  const given: Table = isTable(set) ? set : {};
  const seconds = given.reminder_interval_seconds;
  return {
    external: given.clock_source === "external",
    intervalSeconds: typeof seconds === "number" && seconds >= 0 ? seconds : 1,
    afterInput: given.delivery_mode === "after_user_or_tool_output",
    sleeps: given.sleep_tool === true,
  };
}
