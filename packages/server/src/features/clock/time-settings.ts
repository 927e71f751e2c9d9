import { isSwitchedOn } from "../../config/feature-flags.ts";
import { isTable, type Table, valueAt } from "../../lib/table.ts";

/** How a model learns the time: `[features.current_time_reminder]`. */
export interface TimeSettings {
  /** Whether the client's clock counts, in place of this machine's. */
  readonly external: boolean;
  /** The model is told again when so many seconds have passed. */
  readonly intervalSeconds: number;
  /** Whether it is told only after a user's message or the output of a call. */
  readonly afterInput: boolean;
  /** Whether the model may wait. */
  readonly sleeps: boolean;
}

/** The settings; `undefined` where the model is not told the time. */
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
