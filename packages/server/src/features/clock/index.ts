import type { ThreadExtension } from "../../thread/extension.ts";
import type { Thread } from "../../thread/thread.ts";
import { clockTools } from "./clock-tools.ts";
import { timeReminder } from "./reminder.ts";
import { lastClientTime } from "./thread-clock.ts";
import { timeSettings } from "./time-settings.ts";

/** Tells the model the time, and lets it wait. */
export function clock(thread: Thread): ThreadExtension {
  const isOn = () => timeSettings(thread.config.raw) !== undefined;
  return {
    groups: () => clockTools(thread),
    now: () => lastClientTime(thread),
    notes: ({ signal }) => (isOn() ? timeReminder(thread, signal) : undefined),
  };
}
