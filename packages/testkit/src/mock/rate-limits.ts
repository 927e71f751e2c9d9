/** A window of a quota. */
export interface RateLimitWindow {
  /** 0 to 100. */
  readonly usedPercent: number;
  /** Length of the window. */
  readonly windowMinutes?: number;
  /** Time of its reset, in seconds since 1970. */
  readonly resetsAt?: number;
}

/** The windows that an answer reports. */
export interface RateLimits {
  readonly primary?: RateLimitWindow;
  readonly secondary?: RateLimitWindow;
}

/** The HTTP headers that carry rate limits to Codex. */
export function rateLimitHeaders(limits: RateLimits): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of ["primary", "secondary"] as const) {
    const window = limits[name];
    if (!window) continue;
    headers[`x-codex-${name}-used-percent`] = String(window.usedPercent);
    if (window.windowMinutes !== undefined) headers[`x-codex-${name}-window-minutes`] = String(window.windowMinutes);
    if (window.resetsAt !== undefined) headers[`x-codex-${name}-reset-at`] = String(window.resetsAt);
  }
  return headers;
}
