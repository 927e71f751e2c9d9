import type { RateLimitSnapshot } from "@quire/protocol";

/** A number with its thousands set apart, as in `12,345`. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** A span of time for people: `850 ms` is `0s`, then `59s`, `4m 10s`, `3h 05m`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
}

/** Formats a time as its age, such as `5s ago`, or `never`. */
export function ago(at: number | null, now: number): string {
  return at === null ? "never" : `${span(now - at)} ago`;
}

const two = (value: number) => String(value).padStart(2, "0");

/** Formats the used share of the rate limits after a separator; empty if there are no figures. */
export function limits(rateLimits: RateLimitSnapshot | null, separator: string): string {
  const windows = [rateLimits?.primary, rateLimits?.secondary].flatMap((window) =>
    window ? [`${Math.round(window.usedPercent)}%`] : [],
  );
  return windows.length === 0 ? "" : `${separator}limits used: ${windows.join(", ")}`;
}
