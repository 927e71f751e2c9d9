import type { Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import { clockTools } from "./clock-tools.ts";
import { timeReminder } from "./reminder.ts";
import { lastClientTime } from "./thread-clock.ts";
import { timeSettings } from "./time-settings.ts";

/** Gives the model the time, and lets it wait. */
export const clock: Feature<Thread> = {
  groups: clockTools,
  now: lastClientTime,
  notes: (thread, { signal }) => (timeSettings(thread.config.raw) ? timeReminder(thread, signal) : undefined),
};
