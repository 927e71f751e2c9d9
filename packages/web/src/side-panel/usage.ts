import type { RateLimitSnapshot, RateLimitWindow, ThreadTokenUsage } from "@quire/protocol";
import { formatCount } from "../items/format.ts";
import { panelWords } from "../words/words.ts";

/** A bar of the usage panel. */
export interface UsageBar {
  readonly label: string;
  readonly percent: number;
  readonly detail: string;
}

/** The context window, filled by the last request. Null where its size is not known. */
export function contextBar(usage: ThreadTokenUsage | null): UsageBar | null {
  const size = usage?.modelContextWindow;
  if (usage === null || typeof size !== "number" || size <= 0) return null;
  const used = usage.last.totalTokens;
  const percent = Math.min(100, (used / size) * 100);
  return {
    label: panelWords.contextWindow,
    percent,
    detail: `${formatCount(used)} of ${formatCount(size)} (${Math.round(percent)} %)`,
  };
}

/** The bars of the account's limits. `now` is in ms since 1970. */
export function limitBars(snapshots: readonly RateLimitSnapshot[], now: number): readonly UsageBar[] {
  return snapshots.flatMap((snapshot) =>
    [snapshot.primary, snapshot.secondary].flatMap((window) =>
      window ? [limitBar(snapshot.limitName ?? null, window, now)] : [],
    ),
  );
}

function limitBar(name: string | null, window: RateLimitWindow, now: number): UsageBar {
  const percent = window.usedPercent;
  const label = [name, windowName(window.windowDurationMins)].filter(Boolean).join(", ");
  const resets = typeof window.resetsAt === "number" ? window.resetsAt * 1000 - now : 0;
  const detail = `${Math.round(percent)} %${resets > 0 ? panelWords.resets(roughly(resets)) : ""}`;
  return { label: label === "" ? panelWords.limit : label, percent, detail };
}

function windowName(minutes: number | null | undefined): string {
  if (typeof minutes !== "number") return "";
  if (minutes % 10080 === 0) return minutes === 10080 ? panelWords.week : panelWords.weeks(minutes / 10080);
  if (minutes % 1440 === 0) return minutes === 1440 ? panelWords.day : panelWords.days(minutes / 1440);
  return minutes % 60 === 0 ? panelWords.hours(minutes / 60) : panelWords.minutes(minutes);
}

/** `40 min`, `2 h 10 min`, `3 d 4 h`: two units are enough to plan by. */
function roughly(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return panelWords.min(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? panelWords.hMin(hours, minutes % 60) : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
